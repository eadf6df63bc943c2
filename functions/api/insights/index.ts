import type { FunctionEnvironment } from '#functions/api/insights/environment';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps, createTable } from '#functions/http/deps';
import { notYet } from '#functions/http/not-yet';
import type { Runtime } from '#functions/runtime';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = createTable(environment);
  return createApi('insights', createApiDeps(environment, runtime, table), {
    getDashboardStats: notYet,
    getDashboardInitialData: notYet,
    getBuyerStats: notYet,
    simulate: notYet,
    listAudit: notYet,
    search: notYet,
  });
}
