/** What every API function needs before its own: the table, sessions, keys and the way in. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type * as z from 'zod';
import { createSessionStore } from '#functions/data/sessions';
import { Table } from '#functions/data/table';
import { keyEnvironment, linkEnvironment, originEnvironment, tableEnvironment } from '#functions/environment';
import type { ApiDeps } from '#functions/http/api';
import { createKeyLoader } from '#functions/keys/keys';
import type { Runtime } from '#functions/runtime';

/** The variables that every API function reads. */
export const apiEnvironment = tableEnvironment
  .extend(keyEnvironment.shape)
  .extend(linkEnvironment.shape)
  .extend(originEnvironment.shape);
export type ApiEnvironment = z.output<typeof apiEnvironment>;

export function createTable(environment: z.output<typeof tableEnvironment>): Table {
  return new Table({ name: environment.TABLE_NAME, endpoint: environment.DYNAMODB_ENDPOINT });
}

export function createApiDeps(environment: ApiEnvironment, runtime: Runtime, table: Table): ApiDeps {
  let secret: Promise<string | undefined> | undefined;
  return {
    sessions: createSessionStore(table),
    keys: createKeyLoader(environment),
    runtime,
    publicBaseUrl: environment.PUBLIC_BASE_URL,
    originSecret: () => {
      secret ??= originSecret(environment);
      return secret;
    },
  };
}

async function originSecret(environment: z.output<typeof originEnvironment>): Promise<string | undefined> {
  if (environment.ORIGIN_SECRET_ARN === undefined) return environment.ORIGIN_SECRET;
  const client = new SecretsManagerClient({});
  const secret = await client.send(new GetSecretValueCommand({ SecretId: environment.ORIGIN_SECRET_ARN }));
  return secret.SecretString;
}
