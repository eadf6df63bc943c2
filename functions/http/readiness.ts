import { openTable } from '#functions/data/table/open-table';
import { type ApiEnvironment, createApiDeps } from '#functions/http/deps';
import { type Proof, tableProof } from '#functions/readiness';
import type { Runtime } from '#functions/runtime';

/** Of a function of the API: table, keys and the secret of the origin. */
export function apiProof(environment: ApiEnvironment, runtime: Runtime): Proof {
  return async () => {
    const { keys } = createApiDeps(environment, runtime, openTable(environment, runtime));
    await Promise.all([tableProof(environment, runtime)(), keys(), originProof(environment, runtime)()]);
  };
}

/** Of a function of the API that reads neither table nor keys. */
export function originProof(
  environment: Omit<ApiEnvironment, 'KEYS_ARN' | 'KEYS_JSON'>,
  runtime: Runtime,
): Proof {
  return async () => createApiDeps(environment, runtime, openTable(environment, runtime)).originSecrets();
}
