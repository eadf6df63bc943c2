import { environment } from '#functions/api/claims/environment';
import { create } from '#functions/api/claims/index';
import { healthCheckApi } from '#functions/http/readiness';
import { readEnvironment } from '#functions/platform/environment';
import { healthCheck } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';

const variables = readEnvironment(environment);
export const handler = healthCheck(
  create(variables, systemRuntime),
  healthCheckApi(variables, systemRuntime),
);
