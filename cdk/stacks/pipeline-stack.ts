import { Annotations, Aws, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { OidcProviderNative, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { NO_OWNER, type Repository, STAGES, type Stage } from '#cdk/config';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { DRIFT_READS } from '#cdk/drift-reads';

export interface PipelineStackProps extends StackProps {
  readonly repository: Repository;
  readonly qualifiers: Readonly<Record<Stage, string>>;
}

const BOOTSTRAP_ROLES = ['deploy', 'file-publishing', 'image-publishing', 'lookup'] as const;
/** The subject of a job on `main` without an environment. */
const MERGED = 'ref:refs/heads/main';
const ISSUER = 'token.actions.githubusercontent.com';

/**
 * GitHub's workflows get roles by their tokens, without keys. A stage's role may use its bootstrap and call its functions; the
 * others only read. Deployed by hand.
 */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, props: PipelineStackProps) {
    super(scope, id, props);
    const { owner, name, ids, providerExists = false } = props.repository;
    if (owner === NO_OWNER)
      Annotations.of(this).addError(
        'Enter your repository in cdk/config.ts: roles for `your-organisation` would let a stranger deploy.',
      );
    const subject =
      ids === undefined ? `repo:${owner}/${name}` : `repo:${owner}@${ids.owner}/${name}@${ids.repository}`;
    const provider = providerExists
      ? OidcProviderNative.fromOidcProviderArn(
          this,
          'GitHub',
          `arn:aws:iam::${this.account}:oidc-provider/${ISSUER}`,
        )
      : new OidcProviderNative(this, 'GitHub', {
          url: `https://${ISSUER}`,
          clientIds: ['sts.amazonaws.com'],
        });
    const role = (
      part: string,
      roleName: string,
      context: string,
      reason: string,
      ...may: PolicyStatement[]
    ) => {
      const made = new Role(this, part, {
        roleName,
        maxSessionDuration: Duration.hours(context === MERGED ? 2 : 1),
        assumedBy: new WebIdentityPrincipal(provider.oidcProviderArn, {
          StringEquals: {
            [`${ISSUER}:aud`]: 'sts.amazonaws.com',
            [`${ISSUER}:sub`]: `${subject}:${context}`,
          },
        }),
      });
      for (const statement of may) made.addToPolicy(statement);
      // As the checks write the account, as long as it is unknown.
      const wide = may
        .flatMap(({ resources }) => resources)
        .map((resource) => `Resource::${resource.replaceAll(Aws.ACCOUNT_ID, '<AWS::AccountId>')}`);
      acknowledge(made.node.findChild('DefaultPolicy'), 'AwsSolutions-IAM5', reason, wide);
    };
    // One per GitHub environment, whose rules say who may deploy.
    for (const stage of STAGES)
      role(
        `Deploy-${stage}`,
        `lead-distribution-${stage}-deploy`,
        `environment:${stage}`,
        'The bootstrap roles of the stage in every region, and the functions of the stage.',
        new PolicyStatement({
          actions: ['sts:AssumeRole'],
          resources: BOOTSTRAP_ROLES.map(
            (kind) =>
              `arn:aws:iam::${this.account}:role/cdk-${props.qualifiers[stage]}-${kind}-role-${this.account}-*`,
          ),
        }),
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources: [`arn:aws:lambda:*:${this.account}:function:lead-distribution-${stage}-*`],
        }),
      );
    // Any branch has it, so it reads only templates. The bootstrap's lookup role could read every configuration, including the
    // origin secret.
    role(
      'Diff',
      'lead-distribution-diff',
      'pull_request',
      'The stacks of this product, whose ids end with a random text, in every region.',
      new PolicyStatement({
        actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
        resources: STAGES.map(
          (stage) => `arn:aws:cloudformation:*:${this.account}:stack/lead-distribution-${stage}*/*`,
        ),
      }),
    );
    // Weekly, for merged code: reads the configuration of everything, but no data, and decrypts nothing.
    role(
      'Drift',
      'lead-distribution-drift',
      MERGED,
      'All resources in the stacks of this product, in every region, only to read their configuration.',
      new PolicyStatement({
        actions: [
          'cloudformation:DescribeStacks',
          'cloudformation:DetectStackDrift',
          'cloudformation:DetectStackResourceDrift',
          'cloudformation:DescribeStackDriftDetectionStatus',
          'cloudformation:DescribeStackResourceDrifts',
          'cloudformation:BatchDescribeTypeConfigurations',
          ...new Set(Object.values(DRIFT_READS).flat()),
        ],
        resources: ['*'],
      }),
    );
    // Monthly, for merged code: restores dev's table and deletes the copy.
    const tables = `arn:aws:dynamodb:*:${this.account}:table/lead-distribution-dev`;
    role(
      'Restore',
      'lead-distribution-restore',
      MERGED,
      'CloudFormation generates these names; all belong to dev. Keys are limited by the tag of dev.',
      new PolicyStatement({
        actions: ['cloudformation:DescribeStacks'],
        resources: [`arn:aws:cloudformation:*:${this.account}:stack/lead-distribution-dev/*`],
      }),
      new PolicyStatement({
        actions: ['dynamodb:RestoreTableToPointInTime', 'dynamodb:DescribeTable'],
        resources: [`${tables}-Table*`],
      }),
      new PolicyStatement({
        actions: [
          'dynamodb:RestoreTableToPointInTime',
          'dynamodb:DescribeTable',
          'dynamodb:DeleteTable',
          'dynamodb:Scan',
          'dynamodb:Query',
          'dynamodb:GetItem',
          'dynamodb:BatchGetItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:PutItem',
          'dynamodb:UpdateItem',
          'dynamodb:DeleteItem',
        ],
        resources: [`${tables}-restored-*`, `${tables}-restored-*/index/*`],
      }),
      new PolicyStatement({
        actions: [
          'kms:CreateGrant',
          'kms:Decrypt',
          'kms:DescribeKey',
          'kms:Encrypt',
          'kms:GenerateDataKey',
          'kms:ReEncryptFrom',
          'kms:ReEncryptTo',
        ],
        resources: [`arn:aws:kms:*:${this.account}:key/*`],
        conditions: {
          StringEquals: { 'aws:ResourceTag/product': 'lead-distribution', 'aws:ResourceTag/stage': 'dev' },
          StringLike: { 'kms:ViaService': 'dynamodb.*.amazonaws.com' },
        },
      }),
    );
  }
}
