import { createKeyLoader } from '#functions/keys/keys';
import { readEnvironment } from '#functions/platform/environment';
import { healthCheck, healthCheckTable } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/deliver/environment';
import { create } from '#functions/workers/deliver/index';

const variables = readEnvironment(environment);
export const handler = healthCheck(
  create(variables, systemRuntime),
  healthCheckTable(variables, systemRuntime),
  createKeyLoader(variables),
  healthCheckQueue(variables, systemRuntime, variables.DELIVER_QUEUE_URL, variables.DELIVER_DLQ_URL),
);
