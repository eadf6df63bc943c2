import { type ApiEnvironment, createApiContext } from '#functions/http/context';
import { type HealthCheck, healthCheckTable } from '#functions/platform/readiness';
import type { Runtime } from '#functions/platform/runtime';

export function healthCheckApi(environment: ApiEnvironment, runtime: Runtime): HealthCheck {
  return async () => {
    const { keys } = createApiContext(environment, runtime);
    await Promise.all([
      healthCheckTable(environment, runtime)(),
      keys(),
      healthCheckOrigin(environment, runtime)(),
    ]);
  };
}

/** For functions that read neither table nor keys. */
export function healthCheckOrigin(
  environment: Omit<ApiEnvironment, 'KEYS_ARN' | 'KEYS_JSON'>,
  runtime: Runtime,
): HealthCheck {
  return async () => createApiContext(environment, runtime).originSecrets();
}
