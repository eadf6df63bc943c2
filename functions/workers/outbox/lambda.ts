import { readEnvironment } from '#functions/platform/environment';
import { healthCheck, healthCheckTable } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/outbox/environment';
import { create } from '#functions/workers/outbox/index';

const variables = readEnvironment(environment);
export const handler = healthCheck(
  create(variables, systemRuntime),
  healthCheckTable(variables, systemRuntime),
  healthCheckQueue(
    variables,
    systemRuntime,
    variables.DELIVER_QUEUE_URL,
    variables.NOTIFY_QUEUE_URL,
    variables.CALLBACK_QUEUE_URL,
    variables.REDISTRIBUTE_QUEUE_URL,
  ),
);
