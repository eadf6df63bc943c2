import { RemovalPolicy } from 'aws-cdk-lib';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Generations } from '#cdk/config-schema';
import { acknowledge } from '#cdk/constructs/acknowledge';

/** Shows the API that a request came through CloudFront. Several are accepted during a rotation. */
export class OriginSecret extends Construct {
  readonly accepted: readonly ISecret[];
  /** A reference that CloudFormation resolves. */
  readonly shown: string;

  constructor(
    scope: Construct,
    id: string,
    props: { readonly name: string; readonly generations: Generations },
  ) {
    super(scope, id);
    const secrets = props.generations.accepted.map((generation) => {
      const secret = new Secret(this, `Secret${generation}`, {
        description: `${props.name}: shown by CloudFront to the API, generation ${generation}`,
        generateSecretString: { passwordLength: 48, excludePunctuation: true },
        removalPolicy: RemovalPolicy.DESTROY,
      });
      acknowledge(
        secret,
        'AwsSolutions-SMG4',
        'Rotated by a new generation in cdk/config.ts, because CloudFront and the functions have to change in turn.',
      );
      return { generation, secret };
    });
    const shown = secrets.find(({ generation }) => generation === props.generations.current);
    if (shown === undefined)
      throw new Error('The current generation of originSecrets is not among the accepted');
    this.accepted = secrets.map(({ secret }) => secret);
    this.shown = shown.secret.secretValue.unsafeUnwrap();
  }
}
