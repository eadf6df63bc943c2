import { type ApiEnvironment, createApiContext } from '#functions/http/context';
import { healthCheckTable } from '#functions/platform/readiness';
import type { Runtime } from '#functions/platform/runtime';

export async function healthCheckApi(environment: ApiEnvironment, runtime: Runtime): Promise<void> {
  const { keys } = createApiContext(environment, runtime);
  await Promise.all([
    healthCheckTable(environment, runtime),
    keys(),
    healthCheckOrigin(environment, runtime),
  ]);
}

/** For functions that read neither table nor keys. */
export const healthCheckOrigin = async (
  environment: Omit<ApiEnvironment, 'KEYS_ARN' | 'KEYS_JSON'>,
  runtime: Runtime,
) => createApiContext(environment, runtime).originSecrets();
