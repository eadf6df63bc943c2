import { readEnvironment } from '#functions/platform/environment';
import { healthCheck, healthCheckTable } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/redistribute/environment';
import { create } from '#functions/workers/redistribute/index';

const variables = readEnvironment(environment);
export const handler = healthCheck(
  create(variables, systemRuntime),
  healthCheckTable(variables, systemRuntime),
  healthCheckQueue(variables, systemRuntime, variables.REDISTRIBUTE_QUEUE_URL),
);
