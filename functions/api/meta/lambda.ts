import { environment } from '#functions/api/meta/environment';
import { create } from '#functions/api/meta/index';
import { healthCheckOrigin } from '#functions/http/readiness';
import { readEnvironment } from '#functions/platform/environment';
import { healthCheck } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';

const variables = readEnvironment(environment);
export const handler = healthCheck(
  create(variables, systemRuntime),
  healthCheckOrigin(variables, systemRuntime),
);
