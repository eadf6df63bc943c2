import { CfnOutput, Duration, RemovalPolicy, SecretValue, Stack, type StackProps } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { AaaaRecord, ARecord, HostedZone, PublicHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { ISource } from 'aws-cdk-lib/aws-s3-deployment';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Stage, StageConfig } from '#cdk/config';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { ContractApi } from '#cdk/constructs/contract-api';
import { EncryptionKey } from '#cdk/constructs/encryption-key';
import {
  grantExports,
  grantKeyThrough,
  grantMail,
  grantSecret,
  grantSend,
  grantTable,
} from '#cdk/constructs/grants';
import { LeadTable } from '#cdk/constructs/lead-table';
import { OriginSecret } from '#cdk/constructs/origin-secret';
import { ProductDashboard } from '#cdk/constructs/product-dashboard';
import { ProductFunction } from '#cdk/constructs/product-function';
import { Provisioning } from '#cdk/constructs/provisioning';
import { Site } from '#cdk/constructs/site';
import { SiteGate } from '#cdk/constructs/site-gate';
import { Watch } from '#cdk/constructs/watch';
import { WorkQueue } from '#cdk/constructs/work-queue';
import { consumeQueue, consumeStream, everyMinute } from '#cdk/constructs/workers';
import {
  type CloudValues,
  environmentOf,
  type PartnerValues,
  type ProviderKey,
  reads,
} from '#cdk/environments';
import { entryOf, FUNCTION_SPECS } from '#cdk/functions';
import { PLACEHOLDER } from '#cdk/provisioning/custom-resource';
import { keys, TABLE } from '#functions/data/table/keys';
import { FUNCTIONS, type FunctionName, type QueueName } from '#functions/functions';

export interface ProductStackProps extends StackProps {
  readonly stage: Stage;
  readonly prefix: string;
  readonly config: StageConfig;
  readonly webBuild: ISource;
  readonly certificate?: ICertificate | undefined;
  readonly firewallArn?: string | undefined;
}

const POOL_ENTRY_PREFIX = keys.poolEntry(0).sk.replace(/\d+$/, '');

const UPLOADER = {
  'AwsSolutions-IAM4':
    'The CDK’s own uploader of site files; it runs while deploying only and writes its log.',
  'AwsSolutions-IAM5': 'The CDK’s own uploader reads the build and writes the one bucket of the site.',
  'AwsSolutions-L1': 'The CDK’s own uploader chooses its runtime, which the CDK keeps supported.',
  'Serverless-LambdaLatestVersion':
    'The CDK’s own uploader chooses its runtime, which the CDK keeps supported.',
  'Serverless-LambdaDLQ': 'CloudFormation waits for its answer and fails the deployment without one.',
  'Serverless-LambdaTracing': 'It runs while deploying only; its log says what it did.',
} as const;

/** The whole product of one stage. */
export class ProductStack extends Stack {
  readonly functions: Readonly<Record<FunctionName, ProductFunction<Record<string, string | undefined>>>>;
  readonly #props: ProductStackProps;

  constructor(scope: Construct, id: string, props: ProductStackProps) {
    super(scope, id, props);
    this.#props = props;
    const { config, prefix } = props;
    const { logDays } = config;
    const removalPolicy = config.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

    // What lasts.
    const key = new EncryptionKey(this, 'Key', config);
    const ownTable = new LeadTable(this, 'Table', { key, keepsData: config.keepsData });
    const table: ITable =
      config.restoredTable === undefined
        ? ownTable
        : Table.fromTableAttributes(this, 'RestoredTable', {
            tableName: config.restoredTable.name,
            tableStreamArn: config.restoredTable.streamArn,
            encryptionKey: key,
            globalIndexes: TABLE.indexes.map((index) => index.name),
          });
    const exports = new Bucket(this, 'Exports', {
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy,
      autoDeleteObjects: !config.keepsData,
      lifecycleRules: [
        { expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    acknowledge(
      exports,
      'AwsSolutions-S1',
      'Files live for a day; access logs would outlive them and hold addresses.',
    );
    const applicationKeys = this.#filledSecret(
      'ApplicationKeys',
      'session and encryption keys',
      removalPolicy,
    );
    const firstLogin = new Secret(this, 'FirstAdmin', {
      description: `${prefix}: the login of the first admin; changed by docs/operations/admins.md`,
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ username: 'admin' }),
        generateStringKey: 'password',
        passwordLength: 24,
        excludePunctuation: true,
      },
      removalPolicy,
    });
    acknowledge(
      firstLogin,
      'AwsSolutions-SMG4',
      'Only the first login; the password is changed by the admin and then lives as a hash in the table.',
    );

    // What fills it while deploying.
    const pairs = new Provisioning(this, 'Pairs', {
      name: `${prefix}-make-pair`,
      description: 'Makes the key pair of the admin site’s signed cookies',
      entry: 'cdk/provisioning/pair-lambda.ts',
      logDays,
    });
    const keyMaker = new Provisioning(this, 'Keys', {
      name: `${prefix}-make-keys`,
      description: 'Makes and rotates the session key and the encryption keys',
      entry: 'cdk/provisioning/keys-lambda.ts',
      logDays,
    });
    const adminMaker = new Provisioning(this, 'Admins', {
      name: `${prefix}-make-first-admin`,
      description: 'Makes the first admin',
      entry: 'cdk/provisioning/first-admin-lambda.ts',
      logDays,
    });
    const gate = new SiteGate(this, 'SiteGate', {
      name: prefix,
      keys: config.siteGateKeys,
      makePair: (at, part, secret) => {
        grantSecret(pairs.handler, [secret], ['GetSecretValue', 'PutSecretValue']);
        return pairs.resource(at, part, 'SiteGatePair', { secretArn: secret.secretArn });
      },
    });
    grantSecret(keyMaker.handler, [applicationKeys], ['GetSecretValue', 'PutSecretValue']);
    const keyGeneration = keyMaker.resource(this, 'KeyGeneration', 'ApplicationKeys', {
      secretArn: applicationKeys.secretArn,
      generation: config.applicationKeys,
    });
    grantSecret(adminMaker.handler, [firstLogin]);
    grantTable(adminMaker.handler, this.#tableArns(table), ['Query', 'PutItem']);
    grantKeyThrough(adminMaker.handler, key, 'dynamodb');
    adminMaker.resource(this, 'FirstAdminLogin', 'FirstAdmin', {
      secretArn: firstLogin.secretArn,
      tableName: table.tableName,
    });

    // The way in.
    const originSecret = new OriginSecret(this, 'OriginSecret', {
      name: prefix,
      generations: config.originSecrets,
    });
    const api = new ContractApi(this, 'Api', { name: prefix, throttle: config.throttle, logDays });
    const site = new Site(this, 'Site', {
      name: prefix,
      files: props.webBuild,
      apiHost: `${api.api.apiId}.execute-api.${this.region}.${this.urlSuffix}`,
      originSecret: originSecret.shown,
      adminKeys: gate.keyGroup,
      keepsData: config.keepsData,
      logDays,
      ...(config.domain !== undefined &&
        props.certificate !== undefined && {
          domain: { name: config.domain.name, certificate: props.certificate },
        }),
      ...(props.firewallArn !== undefined && { firewallArn: props.firewallArn }),
    });
    this.#records(site);

    // The work behind it.
    const topic = this.#alarmTopic(key);
    const queues = this.#queues(topic);
    const setAside = new Queue(this, 'SetAside', {
      queueName: `${prefix}-stream-set-aside`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(setAside, 'Serverless-SQSRedrivePolicy', 'It is itself the end of the line.');
    acknowledge(
      setAside,
      'AwsSolutions-SQS3',
      'It is itself where the stream’s consumers put what they gave up on.',
    );
    const namespace = `LeadDistribution/${props.stage}`;
    const values: CloudValues = {
      TABLE_NAME: table.tableName,
      KEYS_ARN: applicationKeys.secretArn,
      PUBLIC_BASE_URL: site.baseUrl,
      CLOUDFRONT_KEY_PAIR_ID: gate.signing.keyPairId,
      CLOUDFRONT_KEY_ARN: gate.signing.secret.secretArn,
      ORIGIN_SECRET_ARN: originSecret.accepted.map((secret) => secret.secretArn).join(','),
      DELIVER_QUEUE_URL: queues.deliver.queue.queueUrl,
      NOTIFY_QUEUE_URL: queues.notify.queue.queueUrl,
      REDISTRIBUTE_QUEUE_URL: queues.redistribute.queue.queueUrl,
      DELIVER_DLQ_URL: queues.deliver.deadLetters.queueUrl,
      EXPORT_BUCKET: exports.bucketName,
      OPERATOR_EMAIL: config.mail?.operator,
      SES_FROM: config.mail?.from,
    };
    const partners = this.#partnerValues();
    this.functions = this.#functions(
      (name) => ({
        ...environmentOf(name, values, partners),
        METRICS_NAMESPACE: namespace,
        // Functions keep their keys in memory; a new generation starts them anew.
        ...(config.providerKeys !== undefined && {
          PROVIDER_KEYS_GENERATION: String(config.providerKeys.generation),
        }),
        ...(reads(name, 'KEYS_ARN') && { KEYS_GENERATION: keyGeneration.getAttString('generation') }),
      }),
      logDays,
    );
    for (const name of FUNCTIONS) {
      const fn = this.functions[name];
      const spec = FUNCTION_SPECS[name];
      if (spec.table.length > 0) {
        grantTable(fn, this.#tableArns(table), spec.table);
        grantKeyThrough(fn, key, 'dynamodb');
      }
      for (const queue of spec.sends) grantSend(fn, queues[queue].queue);
      if (reads(name, 'DELIVER_DLQ_URL')) grantSend(fn, queues.deliver.deadLetters);
      if (reads(name, 'KEYS_ARN')) grantSecret(fn, [applicationKeys]);
      if (reads(name, 'ORIGIN_SECRET_ARN')) grantSecret(fn, originSecret.accepted);
      if (reads(name, 'CLOUDFRONT_KEY_ARN')) grantSecret(fn, [gate.signing.secret]);
      if (reads(name, 'EXPORT_BUCKET')) {
        grantExports(fn, exports);
        grantKeyThrough(fn, key, 's3');
      }
      if (reads(name, 'SES_FROM') && config.mail !== undefined) grantMail(fn, this, config.mail.from);
    }
    api.connect(this.functions);
    consumeStream(this.functions.outbox, table, {
      filter: { equal: [keys.lead('').sk], prefixes: [keys.delivery('', '').sk, POOL_ENTRY_PREFIX] },
      setAside,
      batch: 100,
    });
    consumeStream(this.functions.statistics, table, {
      filter: { equal: [keys.lead('').sk, keys.decision('').sk], prefixes: [] },
      setAside,
      batch: 100,
    });
    consumeQueue(this.functions.deliver, queues.deliver.queue, {
      batch: 1,
      atOnce: config.parallelDeliveries,
    });
    // Pushover asks for at most two connections, and each worker has one.
    consumeQueue(this.functions.notify, queues.notify.queue, { batch: 10, atOnce: 2 });
    consumeQueue(this.functions.redistribute, queues.redistribute.queue, { batch: 1, atOnce: 2 });
    everyMinute(this, 'EveryMinute', this.functions.reconcile);
    this.#findings();

    // The eyes on it.
    new Watch(this, 'Watch', {
      name: prefix,
      namespace,
      topic,
      functions: this.functions,
      stage: api.stage,
      table,
      setAside,
    });
    new ProductDashboard(this, 'Dashboard', {
      name: prefix,
      namespace,
      functions: this.functions,
      queues,
      stage: api.stage,
      table,
    });
    this.#mail();

    new CfnOutput(this, 'Url', { value: site.baseUrl, description: 'Where the product is' });
    new CfnOutput(this, 'FirstAdminSecret', { value: firstLogin.secretArn, description: 'The first login' });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'KeyArn', {
      value: key.keyArn,
      description: 'Encrypts the table; needed to restore it',
    });
    new CfnOutput(this, 'DistributionId', { value: site.distribution.distributionId });
  }

  #filledSecret(id: string, what: string, removalPolicy: RemovalPolicy): Secret {
    const secret = new Secret(this, id, {
      description: `${this.#props.prefix}: ${what}`,
      generateSecretString: {
        secretStringTemplate: PLACEHOLDER.template,
        generateStringKey: PLACEHOLDER.key,
      },
      removalPolicy,
    });
    acknowledge(
      secret,
      'AwsSolutions-SMG4',
      'Rotated by its generation in cdk/config.ts: a new encryption key must not replace the old ones, and functions start anew with it.',
    );
    return secret;
  }

  #tableArns(table: ITable) {
    return {
      tableArn: table.tableArn,
      indexArns: TABLE.indexes.map((index) => `${table.tableArn}/index/${index.name}`),
    };
  }

  #alarmTopic(key: EncryptionKey): Topic {
    const topic = new Topic(this, 'Alarms', {
      topicName: `${this.#props.prefix}-alarms`,
      masterKey: key,
      enforceSSL: true,
    });
    // A policy of its own takes the place of the one that lets everything in the account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    const { alarmEmail } = this.#props.config;
    if (alarmEmail !== undefined) {
      const subscription = topic.addSubscription(new EmailSubscription(alarmEmail));
      acknowledge(
        subscription,
        'Serverless-SNSRedrivePolicy',
        'An alarm whose e-mail could not be sent still stands in the console, and is of no use a day later.',
      );
    }
    return topic;
  }

  #queues(topic: Topic): Readonly<Record<QueueName, WorkQueue>> {
    const queue = (
      name: QueueName,
      rest: Pick<ConstructorParameters<typeof WorkQueue>[2], 'dead' | 'late'>,
    ): WorkQueue =>
      new WorkQueue(this, `Queue-${name}`, {
        name: `${this.#props.prefix}-${name}`,
        workerTimeout: Duration.seconds(FUNCTION_SPECS[name].timeout),
        topic,
        ...rest,
      });
    return {
      deliver: queue('deliver', {
        dead: {
          impact: 'A lead has not reached its buyer and will not be tried again by itself.',
          runbook: 'docs/operations/runbooks/deliver-dead-letters.md',
        },
        late: {
          after: Duration.minutes(30),
          impact:
            'Leads wait for half an hour before they are sent; buyers call people who have bought elsewhere.',
          runbook: 'docs/operations/runbooks/queue-late.md',
        },
      }),
      notify: queue('notify', {
        dead: {
          impact: 'Somebody was not told of a lead or a claim by push; nothing else is affected.',
          runbook: 'docs/operations/runbooks/notify-dead-letters.md',
        },
        late: {
          after: Duration.minutes(30),
          impact: 'Push notifications come half an hour late.',
          runbook: 'docs/operations/runbooks/queue-late.md',
        },
      }),
      redistribute: queue('redistribute', {
        dead: {
          impact: 'Pending leads stay pending although a buyer has room.',
          runbook: 'docs/operations/runbooks/redistribute-dead-letters.md',
        },
        late: {
          after: Duration.minutes(30),
          impact: 'A new order is not filled from the backlog.',
          runbook: 'docs/operations/runbooks/queue-late.md',
        },
      }),
    };
  }

  #functions(
    environment: (name: FunctionName) => Record<string, string | undefined>,
    logDays: RetentionDays,
  ): ProductStack['functions'] {
    const make = (name: FunctionName) =>
      new ProductFunction(this, `Function-${name}`, {
        name: `${this.#props.prefix}-${name}`,
        description: FUNCTION_SPECS[name].description,
        entry: entryOf(name),
        environment: environment(name),
        timeout: Duration.seconds(FUNCTION_SPECS[name].timeout),
        memory: FUNCTION_SPECS[name].memory,
        logDays,
      });
    return {
      auth: make('auth'),
      buyers: make('buyers'),
      claims: make('claims'),
      deliveries: make('deliveries'),
      insights: make('insights'),
      leads: make('leads'),
      'leads-view': make('leads-view'),
      meta: make('meta'),
      orders: make('orders'),
      'pending-leads': make('pending-leads'),
      settings: make('settings'),
      outbox: make('outbox'),
      statistics: make('statistics'),
      deliver: make('deliver'),
      notify: make('notify'),
      redistribute: make('redistribute'),
      reconcile: make('reconcile'),
    };
  }

  /** Addresses and switches from the configuration; keys as references that CloudFormation resolves. */
  #partnerValues(): PartnerValues {
    const { partners, providerKeys } = this.#props.config;
    if (providerKeys === undefined) return partners;
    const keys: Partial<Record<ProviderKey, string>> = {};
    for (const jsonField of providerKeys.keys)
      keys[jsonField] = SecretValue.secretsManager(providerKeys.secretName, { jsonField }).unsafeUnwrap();
    return { ...partners, ...keys };
  }

  #records(site: Site): void {
    const { domain } = this.#props.config;
    if (domain === undefined) return;
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', {
      hostedZoneId: domain.zone.id,
      zoneName: domain.zone.name,
    });
    const target = RecordTarget.fromAlias(new CloudFrontTarget(site.distribution));
    new ARecord(this, 'Address4', { zone, recordName: domain.name, target });
    new AaaaRecord(this, 'Address6', { zone, recordName: domain.name, target });
  }

  #mail(): void {
    const { mail, domain } = this.#props.config;
    if (mail === undefined) return;
    if (mail.identity === 'domain') {
      if (domain === undefined) throw new Error('mail.identity "domain" needs a domain with a hosted zone');
      new EmailIdentity(this, 'MailDomain', {
        identity: Identity.publicHostedZone(
          PublicHostedZone.fromPublicHostedZoneAttributes(this, 'MailZone', {
            hostedZoneId: domain.zone.id,
            zoneName: domain.zone.name,
          }),
        ),
      });
      return;
    }
    for (const address of new Set([mail.from, mail.operator]))
      new EmailIdentity(this, `Mail-${address}`, { identity: Identity.email(address) });
  }

  #findings(): void {
    for (const child of this.node.children.filter(({ node }) =>
      node.id.startsWith('Custom::CDKBucketDeployment'),
    ))
      for (const [finding, reason] of Object.entries(UPLOADER)) acknowledge(child, finding, reason);
    for (const name of FUNCTIONS) {
      const role = this.functions[name].role;
      if (role === undefined) continue;
      if (this.#props.config.restoredTable !== undefined && (name === 'outbox' || name === 'statistics'))
        acknowledge(
          role,
          'AwsSolutions-IAM5',
          'Listing streams knows no resource; reading is limited to the stream of the restored table.',
        );
      if (reads(name, 'EXPORT_BUCKET'))
        acknowledge(
          role,
          'AwsSolutions-IAM5',
          'Any file of the one bucket of exports; their names are random.',
        );
      if (reads(name, 'SES_FROM') && this.#props.config.mail !== undefined)
        acknowledge(
          role,
          'AwsSolutions-IAM5',
          'Any identity of the account, but only as the one sender of this stage: the condition holds the address.',
        );
    }
  }
}
