import { Annotations, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Effect, OidcProviderNative, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { NO_OWNER, type Repository, STAGES } from '#cdk/config';
import { acknowledge } from '#cdk/constructs/acknowledge';

export interface PipelineStackProps extends StackProps {
  readonly repository: Repository;
}

const ISSUER = 'token.actions.githubusercontent.com';

/**
 * How GitHub's workflow deploys without a key: it shows a token of its own, and may then take one role per stage. A role
 * may do nothing but take the roles that `cdk bootstrap` made, and call the functions of its stage. Deployed once, by hand.
 */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, props: PipelineStackProps) {
    super(scope, id, props);
    const { owner, name, ids } = props.repository;
    if (owner === NO_OWNER)
      Annotations.of(this).addError(
        'Enter your repository in cdk/config.ts: roles for `your-organisation` would let a stranger deploy.',
      );
    const subject =
      ids === undefined ? `repo:${owner}/${name}` : `repo:${owner}@${ids.owner}/${name}@${ids.repository}`;
    const provider = new OidcProviderNative(this, 'GitHub', {
      url: `https://${ISSUER}`,
      clientIds: ['sts.amazonaws.com'],
    });
    const role = (
      part: string,
      roleName: string,
      context: string,
      bootstrapRoles: readonly string[],
    ): Role => {
      const made = new Role(this, part, {
        roleName,
        maxSessionDuration: Duration.hours(1),
        assumedBy: new WebIdentityPrincipal(provider.oidcProviderArn, {
          StringEquals: {
            [`${ISSUER}:aud`]: 'sts.amazonaws.com',
            [`${ISSUER}:sub`]: `${subject}:${context}`,
          },
        }),
      });
      made.addToPolicy(
        new PolicyStatement({
          effect: Effect.ALLOW,
          actions: ['sts:AssumeRole'],
          resources: bootstrapRoles.map(
            (kind) => `arn:aws:iam::${this.account}:role/cdk-*-${kind}-role-${this.account}-*`,
          ),
        }),
      );
      acknowledge(
        made,
        'AwsSolutions-IAM5',
        'The roles of the CDK’s bootstrap, in every region it was run in; their names hold the region.',
      );
      return made;
    };
    // One role for each of GitHub's environments, whose rules say who may deploy there and from which branch.
    for (const stage of STAGES) {
      const deploys = role(`Deploy-${stage}`, `lead-distribution-${stage}-deploy`, `environment:${stage}`, [
        'deploy',
        'file-publishing',
        'image-publishing',
        'lookup',
      ]);
      // To ask the functions of the stage whether they are ready (scripts/ready.sh).
      deploys.addToPolicy(
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources: [`arn:aws:lambda:*:${this.account}:function:lead-distribution-${stage}-*`],
        }),
      );
    }
    role('Diff', 'lead-distribution-diff', 'pull_request', ['lookup']);
  }
}
