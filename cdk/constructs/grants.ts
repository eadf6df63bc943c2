import { Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { TABLE } from '#functions/data/table/keys';
import { type AnyFunction, type TableAction, WRITING } from '#functions/platform/functions';

/**
 * Rights written out action by action. The CDK's own grants give whole families (`kms:ReEncrypt*`, `s3:List*`), which
 * nothing here needs.
 */
function allow(
  to: IGrantable,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Record<string, Record<string, string | string[]>>,
): void {
  to.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: [...actions],
      resources: [...resources],
      ...(conditions !== undefined && { conditions }),
    }),
  );
}

/** The table by exactly these actions, and where it is limited in exactly these partitions; its indexes by query only. */
export function grantTable(
  to: IGrantable,
  table: ITable,
  actions: readonly TableAction[],
  { reads, writes }: NonNullable<AnyFunction['partitions']> = {},
): void {
  const grant = (some: readonly TableAction[], partitions: readonly string[] | undefined): void => {
    const only = partitions && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] } };
    const keyed = some.filter((action) => action !== 'Query').map((action) => `dynamodb:${action}`);
    if (keyed.length > 0) allow(to, keyed, [table.tableArn], only);
    const indexArns = TABLE.indexes.map(({ name }) => `${table.tableArn}/index/${name}`);
    if (some.includes('Query')) allow(to, ['dynamodb:Query'], [table.tableArn, ...indexArns], only);
  };
  grant(
    actions.filter((action) => !isWriting(action)),
    reads,
  );
  grant(actions.filter(isWriting), writes);
}

function isWriting(action: TableAction): boolean {
  return WRITING.some((one) => one === action);
}

/**
 * The key, but only through the service that stores what it encrypts. Reading the table takes no right to encrypt, and a file
 * has a data key of its own: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
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

/** Send, and see that the queue is there. */
export function grantSend(to: IGrantable, queue: IQueue): void {
  allow(to, ['sqs:SendMessage', 'sqs:GetQueueAttributes'], [queue.queueArn]);
}

export function grantSecret(
  to: IGrantable,
  secrets: readonly ISecret[],
  actions: SecretAction[] = ['GetSecretValue'],
): void {
  allow(
    to,
    actions.map((action) => `secretsmanager:${action}`),
    secrets.map((secret) => secret.secretArn),
  );
}
type SecretAction = 'GetSecretValue' | 'PutSecretValue';

/** Put a file, and read it, because a signed link has the rights of the role that signed it. */
export function grantExports(to: IGrantable, bucket: IBucket): void {
  allow(to, ['s3:PutObject', 's3:GetObject'], [bucket.arnForObjects('*')]);
}

/** Put a head; a later one of the same name would be a version of its own. */
export function grantHeads(to: IGrantable, bucket: IBucket): void {
  allow(to, ['s3:PutObject'], [bucket.arnForObjects('heads/*')]);
}

/** Remove exports, which it has to list for that, and add to the list of erased leads. */
export function grantErasing(to: IGrantable, exports: IBucket, erased: IBucket): void {
  allow(to, ['s3:ListBucket'], [exports.bucketArn]);
  allow(to, ['s3:DeleteObject'], [exports.arnForObjects('*')]);
  allow(to, ['s3:PutObject'], [erased.arnForObjects('*')]);
}

/** Send as this address and no other, with the configuration set of its identity. */
export function grantMail(
  to: IGrantable,
  stack: Stack,
  {
    from,
    configurationSet,
    raw,
  }: {
    readonly from: string;
    readonly configurationSet: string;
    /** Whether messages have headers of their own. */
    readonly raw: boolean;
  },
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
