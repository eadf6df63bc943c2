import type { FunctionEnvironment } from '#functions/api/meta/environment';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import type { Runtime } from '#functions/platform/runtime';
import { metaSchemas } from '#shared/contract/schemas/meta';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  return createApi('meta', metaSchemas, createApiContext(environment, runtime), {
    getOpenApi: async () => {
      // On demand, because it builds the schemas of every endpoint.
      const { openApiDocument } = await import('#shared/contract/openapi');
      return openApiDocument(environment.PUBLIC_BASE_URL);
    },
    getHealth: async () => ({ status: 'ok' as const }),
  });
}
