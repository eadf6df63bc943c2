import { type ApiEnvironment, createApiContext } from '#functions/http/context';
import { type Proof, tableProof } from '#functions/platform/readiness';
import type { Runtime } from '#functions/platform/runtime';

export function apiProof(environment: ApiEnvironment, runtime: Runtime): Proof {
  return async () => {
    const { keys } = createApiContext(environment, runtime);
    await Promise.all([tableProof(environment, runtime)(), keys(), originProof(environment, runtime)()]);
  };
}

/** For functions that read neither table nor keys. */
export function originProof(
  environment: Omit<ApiEnvironment, 'KEYS_ARN' | 'KEYS_JSON'>,
  runtime: Runtime,
): Proof {
  return async () => createApiContext(environment, runtime).originSecrets();
}
