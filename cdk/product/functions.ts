/** The product's functions: their environment, rights and triggers. */
import { Duration, SecretValue, type Stack } from 'aws-cdk-lib';
import { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StageConfig } from '#cdk/config-schema';
import { acknowledge } from '#cdk/constructs/acknowledge';
import {
  grantCheckpoints,
  grantErasing,
  grantExports,
  grantKeyThrough,
  grantMail,
  grantSecret,
  grantSend,
  grantTable,
} from '#cdk/constructs/grants';
import { LiveAlias } from '#cdk/constructs/live-alias';
import { ProductFunction } from '#cdk/constructs/product-function';
import type { WorkQueue } from '#cdk/constructs/work-queue';
import { consumeQueue, consumeStream, everyMinute } from '#cdk/constructs/workers';
import {
  type CloudValues,
  environmentOf,
  type PartnerValues,
  type ProviderKey,
  reads,
  sendsTo,
} from '#cdk/environments';
import { mailConfigurationSet } from '#cdk/product/mail';
import type { Provisioned } from '#cdk/product/provisioned';
import type { Storage } from '#cdk/product/storage';
import type { Web } from '#cdk/product/web';
import { keys } from '#functions/data/table/keys';
import {
  entryOf,
  FUNCTION_SPECS,
  FUNCTIONS,
  type FunctionName,
  KEPT_CONSENTS,
  type QueueName,
  WRITING,
} from '#functions/platform/functions';
import { record } from '#shared/rules/lead-fields';

export interface FunctionsProps {
  readonly prefix: string;
  readonly config: StageConfig;
  readonly namespace: string;
  readonly storage: Storage;
  readonly provisioned: Provisioned;
  readonly web: Web;
  readonly queues: Readonly<Record<QueueName, WorkQueue>>;
  readonly setAside: Queue;
  readonly topic: ITopic | undefined;
}

/** Functions with canary deployments, and the impact of their failure. */
const TRIED_FIRST = {
  leads: 'Leads are refused and edits fail. A new version in its canary is rolled back automatically.',
  deliver: 'Deliveries fail. A new version in its canary is rolled back automatically.',
} as const;

export type Functions = Readonly<Record<FunctionName, ProductFunction<Record<string, string | undefined>>>>;

const POOL_ENTRY_PREFIX = keys.poolEntry(0).sk.replace(/\d+$/, '');

export function createFunctions(stack: Stack, props: FunctionsProps): Functions {
  const values = cloudValues(props);
  const partners = partnerValues(props.config);
  const make = (name: FunctionName) =>
    new ProductFunction(stack, `Function-${name}`, {
      name: `${props.prefix}-${name}`,
      description: FUNCTION_SPECS[name].description,
      entry: entryOf(name),
      environment: {
        ...environmentOf(name, values, partners),
        // Metrics without alarms would only cost money.
        ...(props.config.watched && { METRICS_NAMESPACE: props.namespace }),
        ...generations(name, props),
      },
      timeout: Duration.seconds(FUNCTION_SPECS[name].timeout),
      memory: FUNCTION_SPECS[name].memory,
      logDays: props.config.logDays,
      sendsToItself: sendsTo(name).some((queue) => queue === name),
    });
  const functions: Functions = record(FUNCTIONS, make);
  for (const name of FUNCTIONS) allow(stack, name, functions[name], props);
  const { leads, deliver } = liveAliases(stack, functions, props);
  props.web.api.connect({ ...functions, leads });
  startWorkers(stack, { ...functions, deliver }, props);
  for (const name of FUNCTIONS) acknowledgeRole(name, functions[name], props.config);
  return functions;
}

function liveAliases(
  stack: Stack,
  functions: Functions,
  props: FunctionsProps,
): Readonly<Record<keyof typeof TRIED_FIRST, IFunction>> {
  const application = new LambdaApplication(stack, 'NewVersions', { applicationName: props.prefix });
  const live = (name: keyof typeof TRIED_FIRST) =>
    new LiveAlias(stack, `Live-${name}`, {
      name: `${props.prefix}-${name}`,
      fn: functions[name],
      generations: { applicationKeys: props.config.applicationKeys },
      namespace: props.namespace,
      application,
      canary: props.config.canary,
      topic: props.topic,
      impact: TRIED_FIRST[name],
    }).alias;
  return { leads: live('leads'), deliver: live('deliver') };
}

function cloudValues({ config, storage, provisioned, web, queues }: FunctionsProps): CloudValues {
  const { signing } = provisioned.gate;
  return {
    TABLE_NAME: storage.table.tableName,
    KEYS_ARN: storage.applicationKeys.secretArn,
    PUBLIC_BASE_URL: web.site.baseUrl,
    CLOUDFRONT_KEY_PAIR_ID: signing.keyPairId,
    CLOUDFRONT_KEY_ARN: signing.secret.secretArn,
    ORIGIN_SECRET_ARN: web.originSecret.accepted.map((secret) => secret.secretArn).join(','),
    DELIVER_QUEUE_URL: queues.deliver.queue.queueUrl,
    NOTIFY_QUEUE_URL: queues.notify.queue.queueUrl,
    CALLBACK_QUEUE_URL: queues.callback.queue.queueUrl,
    REDISTRIBUTE_QUEUE_URL: queues.redistribute.queue.queueUrl,
    DISTRIBUTE_QUEUE_URL: queues.distribute.queue.queueUrl,
    DELIVER_DLQ_URL: queues.deliver.deadLetters.queueUrl,
    EXPORT_BUCKET: storage.exports.bucketName,
    ERASED_BUCKET: storage.erased.bucketName,
    LEASES_PER_DESTINATION: config.leasesPerDestination?.toString(),
    OPERATOR_EMAIL: config.mail?.operator,
    SES_FROM: config.mail?.from,
    AUDIT_CHECKPOINTS_BUCKET: storage.auditCheckpoints.bucketName,
  };
}

/** Keys are references that CloudFormation resolves. */
function partnerValues({ partners, providerKeys }: StageConfig): PartnerValues {
  if (providerKeys === undefined) return partners;
  const values: Partial<Record<ProviderKey, string>> = {};
  for (const jsonField of providerKeys.keys)
    values[jsonField] = SecretValue.secretsManager(providerKeys.secretName, { jsonField }).unsafeUnwrap();
  return { ...partners, ...values };
}

function generations(name: FunctionName, { config, provisioned }: FunctionsProps): Record<string, string> {
  return {
    ...(config.providerKeys?.keys.some((key) => reads(name, key)) && {
      PROVIDER_KEYS_GENERATION: String(config.providerKeys.generation),
    }),
    ...(reads(name, 'KEYS_ARN') && {
      KEYS_GENERATION: provisioned.keyGeneration.getAttString('generation'),
    }),
  };
}

function allow(
  stack: Stack,
  name: FunctionName,
  fn: Functions[FunctionName],
  { prefix, config, storage, provisioned, web, queues }: FunctionsProps,
): void {
  const spec = FUNCTION_SPECS[name];
  if (spec.table.length > 0) {
    const { readers, writers } = KEPT_CONSENTS;
    const kept = { reads: readers.includes(name), writes: writers.includes(name) };
    grantTable(fn, storage.table, { ...spec, kept });
    const writes = spec.table.some((action) => WRITING.some((one) => one === action));
    grantKeyThrough(fn, storage.key, 'dynamodb', writes);
  }
  for (const queue of sendsTo(name)) grantSend(fn, queues[queue].queue);
  if (reads(name, 'DELIVER_DLQ_URL')) grantSend(fn, queues.deliver.deadLetters);
  if (reads(name, 'KEYS_ARN')) grantSecret(fn, [storage.applicationKeys]);
  if (reads(name, 'ORIGIN_SECRET_ARN')) grantSecret(fn, web.originSecret.accepted);
  if (reads(name, 'CLOUDFRONT_KEY_ARN')) grantSecret(fn, [provisioned.gate.signing.secret]);
  if (reads(name, 'EXPORT_BUCKET')) {
    if (reads(name, 'ERASED_BUCKET')) grantErasing(fn, storage.exports, storage.erased);
    else grantExports(fn, storage.exports);
    grantKeyThrough(fn, storage.key, 's3', true);
  }
  if (reads(name, 'AUDIT_CHECKPOINTS_BUCKET')) grantCheckpoints(fn, storage.auditCheckpoints);
  if (reads(name, 'SES_FROM') && config.mail !== undefined)
    grantMail(fn, stack, {
      from: config.mail.from,
      configurationSet: mailConfigurationSet(prefix),
      raw: name === 'notify',
    });
}

function startWorkers(
  stack: Stack,
  functions: Readonly<Record<FunctionName, IFunction>>,
  { config, storage, queues, setAside }: FunctionsProps,
): void {
  consumeStream(functions.outbox, storage.table, {
    filter: {
      equal: [keys.lead('').sk, keys.notification('').sk],
      prefixes: [keys.delivery('', '').sk, keys.callback('', '').sk, POOL_ENTRY_PREFIX],
    },
    setAside,
    batch: 100,
  });
  consumeStream(functions.statistics, storage.table, {
    filter: {
      equal: [keys.lead('').sk, keys.decision('').sk],
      prefixes: [],
      delivered: keys.delivery('', '').sk,
    },
    setAside,
    batch: 100,
  });
  consumeQueue(functions.deliver, queues.deliver.queue, { batch: 1, atOnce: config.parallelDeliveries });
  // One message each: those of a killed worker are hidden for six timeouts. Pushover asks for at most two connections.
  consumeQueue(functions.notify, queues.notify.queue, { batch: 1, atOnce: 2 });
  consumeQueue(functions.callback, queues.callback.queue, { batch: 1, atOnce: 4 });
  consumeQueue(functions.redistribute, queues.redistribute.queue, { batch: 1, atOnce: 2 });
  // More would only wait for the share ledger.
  consumeQueue(functions.distribute, queues.distribute.queue, { batch: 1, atOnce: 4 });
  consumeQueue(functions.bounces, queues.bounces.queue, { batch: 1, atOnce: 2 });
  everyMinute(stack, 'EveryMinute', functions.reconcile);
}

function acknowledgeRole(name: FunctionName, { role }: Functions[FunctionName], config: StageConfig): void {
  if (role === undefined) return;
  const accept = (reason: string, only: string | RegExp) =>
    acknowledge(role, 'AwsSolutions-IAM5', reason, [only]);
  if (config.restoredTable !== undefined && (name === 'outbox' || name === 'statistics')) {
    const reason =
      'Listing streams cannot be limited to a resource. Reading is limited to the stream of the restored table.';
    accept(reason, 'Resource::*');
    acknowledge(role, 'Serverless-LambdaStarPermissions', reason);
  }
  if (reads(name, 'EXPORT_BUCKET'))
    accept(
      'Any file in the bucket of exports, because their names are random.',
      /^Resource::<Exports\w+\.Arn>\/\*$/,
    );
  if (reads(name, 'AUDIT_CHECKPOINTS_BUCKET'))
    accept(
      'Any checkpoint of the audit chain, because their names are the numbers of its links.',
      /^Resource::<AuditCheckpoints\w+\.Arn>\/checkpoints\/\*$/,
    );
  if (reads(name, 'ERASED_BUCKET'))
    accept(
      'One file for each erasure in their bucket. Files can be written, but not read or removed.',
      /^Resource::<ErasedLeads\w+\.Arn>\/\*$/,
    );
  if (reads(name, 'SES_FROM') && config.mail !== undefined)
    accept(
      'Any identity of the account, but only with the sender of this stage, which the condition requires.',
      /^Resource::arn:.+:ses:.+:identity\/\*$/,
    );
}
