import { sourceRow } from '#functions/api/sources/answers';
import type { FunctionEnvironment } from '#functions/api/sources/environment';
import { createSourceStore } from '#functions/data/sources/source-store';
import { openTable } from '#functions/data/table/open-table';
import {
  createSource,
  createSourceKey,
  revokeSourceKey,
  updateSource,
} from '#functions/domain/sources/sources';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import type { Runtime } from '#functions/runtime';
import { sourceSchemas } from '#shared/contract/schemas/sources';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const deps = { table, sources: createSourceStore(table), runtime };

  return createApi('sources', sourceSchemas, createApiDeps(environment, runtime, table), {
    listSources: async () => (await deps.sources.all()).map((source) => sourceRow(source, runtime.now())),

    createSource: async ({ body, session }) => ({
      message: 'Source added',
      source: sourceRow(await createSource(deps, session.username, body), runtime.now()),
    }),

    updateSource: async ({ params, body, session }) => ({
      message: 'Source updated',
      source: sourceRow(await updateSource(deps, session.username, params.sourceId, body), runtime.now()),
    }),

    createSourceKey: async ({ params, session }) => {
      const { source, key } = await createSourceKey(deps, session.username, params.sourceId);
      return { message: 'Key created', source: sourceRow(source, runtime.now()), key };
    },

    revokeSourceKey: async ({ params, session }) => ({
      message: 'Key revoked',
      source: sourceRow(
        await revokeSourceKey(deps, session.username, params.sourceId, params.slot),
        runtime.now(),
      ),
    }),
  });
}
