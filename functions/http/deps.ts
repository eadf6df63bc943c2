/** What all API functions need: their environment variables, sessions, keys and the secrets of CloudFront. */
import * as z from 'zod/mini';
import { createSessionStore } from '#functions/data/administration/session-store';
import type { Table } from '#functions/data/table/table';
import { keyEnvironment, linkEnvironment, originEnvironment, tableEnvironment } from '#functions/environment';
import type { ApiDeps } from '#functions/http/api';
import { createKeyLoader, readSecretText } from '#functions/keys/keys';
import { remembered } from '#functions/remembered';
import type { Runtime } from '#functions/runtime';

/** The variables that every API function reads. */
export const apiEnvironment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  ...linkEnvironment.shape,
  ...originEnvironment.shape,
});
export type ApiEnvironment = z.output<typeof apiEnvironment>;

export function createApiDeps(environment: ApiEnvironment, runtime: Runtime, table: Table): ApiDeps {
  return {
    sessions: createSessionStore(table),
    keys: createKeyLoader(environment, runtime.log),
    runtime,
    publicBaseUrl: environment.PUBLIC_BASE_URL,
    originSecrets: remembered(() => readOriginSecrets(environment)),
  };
}

async function readOriginSecrets(
  environment: z.output<typeof originEnvironment>,
): Promise<readonly string[]> {
  const { ORIGIN_SECRET: secret, ORIGIN_SECRET_ARN: arns } = environment;
  if (arns === undefined) return secret === undefined ? [] : [secret];
  return Promise.all(arns.split(',').map(readSecretText));
}
