import { Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { TABLE } from '#functions/data/table/keys';
import { type FunctionSpec, KEPT_CONSENTS, type TableAction, WRITING } from '#functions/platform/functions';

/** Action by action: the CDK's grants give whole families (`kms:ReEncrypt*`, `s3:List*`). */
function allow(
  to: IGrantable,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Record<string, Record<string, string | string[]>>,
  effect = Effect.ALLOW,
): void {
  to.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      effect,
      actions: [...actions],
      resources: [...resources],
      ...(conditions !== undefined && { conditions }),
    }),
  );
}

interface TableAccess extends Pick<FunctionSpec, 'table' | 'partitions'> {
  /** Access to the kept consents. By default none. */
  readonly kept?: { readonly reads: boolean; readonly writes: boolean };
}

/** Indexes by query only. */
export function grantTable(
  to: IGrantable,
  table: ITable,
  { table: actions, partitions: { reads, writes } = {}, kept }: TableAccess,
): void {
  const indexArns = TABLE.indexes.map(({ name }) => `${table.tableArn}/index/${name}`);
  const grant = (some: readonly TableAction[], partitions: readonly string[] | undefined): void => {
    const only = partitions && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] } };
    const keyed = some.filter((action) => action !== 'Query').map((action) => `dynamodb:${action}`);
    if (keyed.length > 0) allow(to, keyed, [table.tableArn], only);
    if (some.includes('Query')) allow(to, ['dynamodb:Query'], [table.tableArn, ...indexArns], only);
  };
  const reading = actions.filter((action) => !isWriting(action));
  const writing = actions.filter(isWriting);
  grant(reading, reads);
  grant(writing, writes);
  const denied = [
    ...(reads === undefined && kept?.reads !== true ? reading : []),
    ...(writes === undefined && kept?.writes !== true ? writing : []),
  ].map((action) => `dynamodb:${action}`);
  if (denied.length === 0) return;
  const only = { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [KEPT_CONSENTS.partition] } };
  allow(to, denied, [table.tableArn, ...indexArns], only, Effect.DENY);
}

function isWriting(action: TableAction): boolean {
  return WRITING.some((one) => one === action);
}

/**
 * Only through the service that stores the data. Reading a table needs no right to encrypt; a file has its own data key:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
 */
export function grantKeyThrough(
  to: IGrantable,
  key: IKey,
  service: 's3' | 'dynamodb',
  writes: boolean,
): void {
  const actions = ['kms:Decrypt', ...(service === 'dynamodb' ? ['kms:DescribeKey'] : [])];
  if (writes) actions.push('kms:GenerateDataKey', ...(service === 'dynamodb' ? ['kms:Encrypt'] : []));
  allow(to, actions, [key.keyArn], {
    StringEquals: { 'kms:ViaService': `${service}.${Stack.of(key).region}.amazonaws.com` },
  });
}

export function grantSend(to: IGrantable, queue: IQueue): void {
  allow(to, ['sqs:SendMessage', 'sqs:GetQueueAttributes'], [queue.queueArn]);
}

export function grantSecret(
  to: IGrantable,
  secrets: readonly ISecret[],
  actions: SecretAction[] = ['GetSecretValue'],
): void {
  const rights = actions.map((action) => `secretsmanager:${action}`);
  const arns = secrets.map(({ secretArn }) => secretArn);
  allow(to, rights, arns);
}
type SecretAction = 'GetSecretValue' | 'PutSecretValue';

/** A signed link has the rights of the role that signed it. */
export function grantExports(to: IGrantable, bucket: IBucket): void {
  allow(to, ['s3:PutObject', 's3:GetObject'], [bucket.arnForObjects('*')]);
}

/** A later checkpoint of the same name becomes a separate version. */
export function grantCheckpoints(to: IGrantable, bucket: IBucket): void {
  allow(to, ['s3:PutObject'], [bucket.arnForObjects('checkpoints/*')]);
}

/** Removing exports requires listing them. */
export function grantErasing(to: IGrantable, exports: IBucket, erased: IBucket): void {
  allow(to, ['s3:ListBucket'], [exports.bucketArn]);
  allow(to, ['s3:DeleteObject'], [exports.arnForObjects('*')]);
  allow(to, ['s3:PutObject'], [erased.arnForObjects('*')]);
}

/** As this address only. */
export function grantMail(
  to: IGrantable,
  stack: Stack,
  { from, configurationSet, raw }: { from: string; configurationSet: string; raw: boolean },
): void {
  allow(
    to,
    raw ? ['ses:SendEmail', 'ses:SendRawEmail'] : ['ses:SendEmail'],
    [
      stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' }),
      stack.formatArn({ service: 'ses', resource: 'configuration-set', resourceName: configurationSet }),
    ],
    { StringEquals: { 'ses:FromAddress': from } },
  );
}
