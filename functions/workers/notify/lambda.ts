import { createKeyLoader } from '#functions/keys/keys';
import { readEnvironment } from '#functions/platform/environment';
import { healthCheck, healthCheckTable } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { environment } from '#functions/workers/notify/environment';
import { create } from '#functions/workers/notify/index';

const variables = readEnvironment(environment);
export const handler = healthCheck(
  create(variables, systemRuntime),
  healthCheckTable(variables, systemRuntime),
  createKeyLoader(variables),
);
