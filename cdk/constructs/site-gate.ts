import { type CustomResource, RemovalPolicy } from 'aws-cdk-lib';
import { type IKeyGroup, KeyGroup, PublicKey } from 'aws-cdk-lib/aws-cloudfront';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Generations } from '#cdk/config-schema';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { PLACEHOLDER } from '#cdk/provisioning/custom-resource';

export interface SiteGateProps {
  readonly name: string;
  readonly keys: Generations;
  /** Fills the secret and returns the attribute `publicKey`. */
  readonly makePair: (scope: Construct, id: string, secret: ISecret) => CustomResource;
}

/**
 * The keys that sign cookies for the admin build. CloudFront cannot change a public key, so a rotation adds a generation and
 * later removes the old one.
 */
export class SiteGate extends Construct {
  readonly keyGroup: IKeyGroup;
  readonly signing: { readonly keyPairId: string; readonly secret: ISecret };

  constructor(scope: Construct, id: string, props: SiteGateProps) {
    super(scope, id);
    const pairs = props.keys.accepted.map((generation) => {
      const secret = new Secret(this, `PrivateKey${generation}`, {
        generateSecretString: {
          secretStringTemplate: PLACEHOLDER.template,
          generateStringKey: PLACEHOLDER.key,
        },
        description: `${props.name}: private key of the admin site's signed cookies, generation ${generation}`,
        removalPolicy: RemovalPolicy.DESTROY,
      });
      acknowledge(
        secret,
        'AwsSolutions-SMG4',
        'Rotated by a new generation in cdk/config.ts, because CloudFront must trust the new public key first.',
      );
      const pair = props.makePair(this, `Pair${generation}`, secret);
      const publicKey = new PublicKey(this, `PublicKey${generation}`, {
        comment: `${props.name}, generation ${generation}`,
        encodedKey: pair.getAttString('publicKey'),
      });
      return { generation, secret, publicKey };
    });
    const signing = pairs.find((pair) => pair.generation === props.keys.current);
    if (signing === undefined)
      throw new Error('The current generation of siteGateKeys is not among the accepted');
    this.keyGroup = new KeyGroup(this, 'KeyGroup', { items: pairs.map((pair) => pair.publicKey) });
    this.signing = { keyPairId: signing.publicKey.publicKeyId, secret: signing.secret };
  }
}
