import * as z from 'zod/mini';
import { openTable } from '#functions/data/table/open-table';
import type { ApiContext } from '#functions/http/api';
import { createKeyLoader, readSecretText } from '#functions/keys/keys';
import {
  keyEnvironment,
  linkEnvironment,
  originEnvironment,
  tableEnvironment,
} from '#functions/platform/environment';
import { memoize } from '#functions/platform/memoize';
import type { Runtime } from '#functions/platform/runtime';

export const apiEnvironment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  ...linkEnvironment.shape,
  ...originEnvironment.shape,
});
export type ApiEnvironment = z.output<typeof apiEnvironment>;

export function createApiContext(environment: ApiEnvironment, runtime: Runtime): ApiContext {
  const keys = createKeyLoader(environment, runtime.log);
  return {
    table: openTable(environment, runtime),
    runtime,
    keys,
    personKey: async () => (await keys()).person,
    cipher: async () => (await keys()).cipher,
    publicBaseUrl: environment.PUBLIC_BASE_URL,
    originSecrets: memoize(() => readOriginSecrets(environment)),
  };
}

async function readOriginSecrets(
  environment: z.output<typeof originEnvironment>,
): Promise<readonly string[]> {
  const { ORIGIN_SECRET: secret, ORIGIN_SECRET_ARN: arns } = environment;
  if (arns === undefined) return secret === undefined ? [] : [secret];
  return Promise.all(arns.split(',').map(readSecretText));
}
