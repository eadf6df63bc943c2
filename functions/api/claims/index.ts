import type { FunctionEnvironment } from '#functions/api/claims/environment';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps, createTable } from '#functions/http/deps';
import { notYet } from '#functions/http/not-yet';
import type { Runtime } from '#functions/runtime';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = createTable(environment);
  return createApi('claims', createApiDeps(environment, runtime, table), {
    fileClaim: notYet,
    getLeadClaim: notYet,
    listPendingClaims: notYet,
    listClaims: notYet,
    approveClaim: notYet,
    rejectClaim: notYet,
  });
}
