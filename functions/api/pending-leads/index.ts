import type { FunctionEnvironment } from '#functions/api/pending-leads/environment';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps, createTable } from '#functions/http/deps';
import { notYet } from '#functions/http/not-yet';
import type { Runtime } from '#functions/runtime';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = createTable(environment);
  return createApi('pending-leads', createApiDeps(environment, runtime, table), {
    listPendingLeads: notYet,
    discardPendingLead: notYet,
    assignPendingLead: notYet,
    exportPendingLeads: notYet,
  });
}
