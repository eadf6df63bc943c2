import type { FunctionEnvironment } from '#functions/api/buyers/environment';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps, createTable } from '#functions/http/deps';
import { notYet } from '#functions/http/not-yet';
import type { Runtime } from '#functions/runtime';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = createTable(environment);
  return createApi('buyers', createApiDeps(environment, runtime, table), {
    listBuyers: notYet,
    listActiveBuyers: notYet,
    createBuyer: notYet,
    getBuyer: notYet,
    updateBuyer: notYet,
    deleteBuyer: notYet,
    regenerateToken: notYet,
    getBalance: notYet,
  });
}
