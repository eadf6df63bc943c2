import type { CustomResource, Stack } from 'aws-cdk-lib';
import type { StageConfig } from '#cdk/config-schema';
import { grantKeyThrough, grantSecret, grantTable } from '#cdk/constructs/grants';
import { Provisioning } from '#cdk/constructs/provisioning';
import { SiteGate } from '#cdk/constructs/site-gate';
import type { Storage } from '#cdk/product/storage';
import { TABLE_FORMAT } from '#functions/data/table/format';
import { keys } from '#functions/data/table/keys';

export interface Provisioned {
  readonly gate: SiteGate;
  readonly keyGeneration: CustomResource;
}

export function provision(
  stack: Stack,
  { prefix, config, storage }: { prefix: string; config: StageConfig; storage: Storage },
): Provisioned {
  const { logDays } = config;
  const { key, table, applicationKeys, firstLogin } = storage;
  const pairs = new Provisioning(stack, 'Pairs', {
    name: `${prefix}-make-pair`,
    description: "Makes the key pair of the admin site's signed cookies",
    entry: 'cdk/provisioning/pair-lambda.ts',
    logDays,
  });
  const keyMaker = new Provisioning(stack, 'Keys', {
    name: `${prefix}-make-keys`,
    description: 'Makes and rotates the session key and the encryption keys',
    entry: 'cdk/provisioning/keys-lambda.ts',
    logDays,
  });
  const adminMaker = new Provisioning(stack, 'Admins', {
    name: `${prefix}-make-first-admin`,
    description: 'Makes the first admin',
    entry: 'cdk/provisioning/first-admin-lambda.ts',
    logDays,
  });
  const gate = new SiteGate(stack, 'SiteGate', {
    name: prefix,
    keys: config.siteGateKeys,
    makePair: (at, part, secret) => {
      grantSecret(pairs.handler, [secret], ['GetSecretValue', 'PutSecretValue']);
      return pairs.resource(at, part, 'SiteGatePair', { secretArn: secret.secretArn });
    },
  });
  grantSecret(keyMaker.handler, [applicationKeys], ['GetSecretValue', 'PutSecretValue']);
  const keyGeneration = keyMaker.resource(stack, 'KeyGeneration', 'ApplicationKeys', {
    secretArn: applicationKeys.secretArn,
    generation: config.applicationKeys,
    // For every new table and key.
    ...(config.backup !== undefined && {
      copy: { tableName: table.tableName, publicKey: config.backup.publicKey },
    }),
  });
  if (config.backup !== undefined) {
    const partitions = { writes: [keys.keysCopy().pk] };
    grantTable(keyMaker.handler, table, { table: ['PutItem'], partitions });
    grantKeyThrough(keyMaker.handler, key, 'dynamodb', true);
  }
  grantSecret(adminMaker.handler, [firstLogin]);
  const ofAdmins = [keys.format().pk, keys.admins()];
  grantTable(adminMaker.handler, table, {
    table: ['GetItem', 'Query', 'PutItem'],
    partitions: { reads: ofAdmins, writes: ofAdmins },
  });
  grantKeyThrough(adminMaker.handler, key, 'dynamodb', true);
  adminMaker.resource(stack, 'FirstAdminLogin', 'FirstAdmin', {
    secretArn: firstLogin.secretArn,
    tableName: table.tableName,
    // A new format is checked by its deployment.
    tableFormat: String(TABLE_FORMAT),
  });
  return { gate, keyGeneration };
}
