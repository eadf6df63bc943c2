import { CfnOutput, CfnResource, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISource } from 'aws-cdk-lib/aws-s3-deployment';
import type { Construct, IConstruct } from 'constructs';
import type { StageConfig } from '#cdk/config-schema';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { createAlarmTopic } from '#cdk/constructs/alarm-topic';
import { ProductDashboard } from '#cdk/constructs/product-dashboard';
import { WRITES_LOGS } from '#cdk/constructs/provisioning';
import { Watch } from '#cdk/constructs/watch';
import { createBackup } from '#cdk/product/backup';
import { createBudget } from '#cdk/product/budget';
import { createFunctions } from '#cdk/product/functions';
import { createMailIdentities } from '#cdk/product/mail';
import { provision } from '#cdk/product/provisioned';
import { createQueues, createSetAside } from '#cdk/product/queues';
import { createStorage } from '#cdk/product/storage';
import { createWeb } from '#cdk/product/web';
import { FUNCTIONS } from '#functions/platform/functions';

export interface ProductStackProps extends StackProps {
  readonly stage: string;
  readonly prefix: string;
  readonly config: StageConfig;
  readonly webBuild: ISource;
  readonly first: boolean;
  readonly certificate?: ICertificate | undefined;
  readonly firewallArn?: string | undefined;
}

const UPLOADER = {
  'AwsSolutions-L1': "The CDK's own uploader chooses its runtime, which the CDK keeps supported.",
  'Serverless-LambdaLatestVersion':
    "The CDK's own uploader chooses its runtime, which the CDK keeps supported.",
  'Serverless-LambdaDLQ': 'CloudFormation waits for its answer and fails the deployment without one.',
  'Serverless-LambdaTracing': 'It runs only during a deployment, and its log shows what it did.',
} as const;

/** Wide rights of the CDK's uploader: build and site buckets. */
const UPLOADS = [
  'Action::s3:GetObject*',
  'Action::s3:GetBucket*',
  'Action::s3:List*',
  'Action::s3:DeleteObject*',
  'Action::s3:Abort*',
  /^Resource::arn:aws:s3:::cdk-[a-z0-9]+-assets-.+\/\*$/,
  /^Resource::<SiteFiles\w+\.Arn>\/\*$/,
  // The CDK names no distribution.
  'Resource::*',
] as const;

/**
 * The parts are functions, not constructs: a construct would be part of the logical IDs, and CloudFormation replaces what
 * changes its ID, even the table.
 */
export class ProductStack extends Stack {
  constructor(scope: Construct, id: string, props: ProductStackProps) {
    super(scope, id, props);
    const { prefix, config } = props;
    const storage = createStorage(this, { prefix, config, first: props.first });
    const { key, table, firstLogin } = storage;
    const provisioned = provision(this, { prefix, config, storage });
    const web = createWeb(this, {
      prefix,
      config,
      webBuild: props.webBuild,
      adminKeys: provisioned.gate.keyGroup,
      certificate: props.certificate,
      firewallArn: props.firewallArn,
    });
    const { api, site } = web;
    const topic = config.watched
      ? createAlarmTopic(this, { name: `${prefix}-alarms`, config, key })
      : undefined;
    const queues = createQueues(this, { prefix, topic });
    const setAside = createSetAside(this, prefix);
    const namespace = `LeadDistribution/${props.stage}`;
    const functions = createFunctions(this, {
      prefix,
      config,
      namespace,
      storage,
      provisioned,
      web,
      queues,
      setAside,
      topic,
    });
    this.#acknowledgeUploader();
    this.#logBucketEmptying(config.logDays);
    const watched = { name: prefix, namespace, functions, stage: api.stage, table };
    if (topic !== undefined) {
      new Watch(this, 'Watch', { ...watched, accessLog: api.accessLog, topic, setAside });
      new ProductDashboard(this, 'Dashboard', { ...watched, queues });
    }
    createMailIdentities(this, config, { prefix, bounces: queues.bounces });
    createBudget(this, prefix, config);
    createBackup(this, { prefix, config, table, topic });

    new CfnOutput(this, 'Url', { value: site.baseUrl, description: 'Address of the product' });
    new CfnOutput(this, 'FirstAdminSecret', { value: firstLogin.secretArn, description: 'The first login' });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'KeyArn', {
      value: key.keyArn,
      description: 'Encrypts the table; needed to restore it',
    });
    new CfnOutput(this, 'Functions', {
      value: FUNCTIONS.join(' '),
      description: 'Functions that scripts/ready.sh checks',
    });
    new CfnOutput(this, 'DistributionId', { value: site.distribution.distributionId });
  }

  #acknowledgeUploader(): void {
    for (const child of this.node.children.filter(({ node }) =>
      node.id.startsWith('Custom::CDKBucketDeployment'),
    ))
      acceptUploader(child);
  }

  /** The CDK leaves the log of the function that empties buckets to Lambda, whose log groups never expire and outlive the stack. */
  #logBucketEmptying(retention: RetentionDays): void {
    const provider = this.node.tryFindChild('Custom::S3AutoDeleteObjectsCustomResourceProvider');
    const handler = provider?.node.findChild('Handler');
    if (!CfnResource.isCfnResource(handler)) return;
    const log = new LogGroup(this, 'EmptyingLog', { retention, removalPolicy: RemovalPolicy.DESTROY });
    handler.addPropertyOverride('LoggingConfig.LogGroup', log.logGroupName);
  }
}

function acceptUploader(uploader: IConstruct): void {
  for (const [rule, reason] of Object.entries(UPLOADER)) acknowledge(uploader, rule, reason);
  const role = uploader.node.findChild('ServiceRole');
  acknowledge(
    role,
    'AwsSolutions-IAM4',
    "The CDK's uploader of site files. It runs only during a deployment and writes its log.",
    [WRITES_LOGS],
  );
  acknowledge(
    role.node.findChild('DefaultPolicy'),
    'AwsSolutions-IAM5',
    "The CDK's uploader reads the build, writes to the site's bucket, and may only invalidate caches of distributions.",
    UPLOADS,
  );
}
