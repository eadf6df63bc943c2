import { Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { TableAction } from '#cdk/functions';
import { TABLE } from '#functions/data/table/keys';

/**
 * Rights written out action by action. The CDK's own grants give whole families (`kms:ReEncrypt*`, `s3:List*`), which
 * nothing here needs.
 */
function allow(
  to: IGrantable,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Record<string, Record<string, string>>,
): void {
  to.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: [...actions],
      resources: [...resources],
      ...(conditions !== undefined && { conditions }),
    }),
  );
}

/** The table by exactly these actions; its indexes by query only. */
export function grantTable(to: IGrantable, table: ITable, actions: readonly TableAction[]): void {
  const keyed = actions.filter((action) => action !== 'Query').map((action) => `dynamodb:${action}`);
  if (keyed.length > 0) allow(to, keyed, [table.tableArn]);
  const indexArns = TABLE.indexes.map(({ name }) => `${table.tableArn}/index/${name}`);
  if (actions.includes('Query')) allow(to, ['dynamodb:Query'], [table.tableArn, ...indexArns]);
}

/** The key, but only through the service that stores what it encrypts. */
export function grantKeyThrough(to: IGrantable, key: IKey, service: 'dynamodb' | 's3'): void {
  allow(to, ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:DescribeKey'], [key.keyArn], {
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

/** Send as this address and no other. */
export function grantMail(to: IGrantable, stack: Stack, from: string): void {
  allow(
    to,
    ['ses:SendEmail'],
    [stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
    { StringEquals: { 'ses:FromAddress': from } },
  );
}
