import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/outbox/environment';
import { create } from '#functions/workers/outbox/index';

export const handler = createLambda(environment, create, healthCheckTable, (variables, runtime) =>
  healthCheckQueue(
    variables,
    runtime,
    variables.DELIVER_QUEUE_URL,
    variables.NOTIFY_QUEUE_URL,
    variables.CALLBACK_QUEUE_URL,
    variables.REDISTRIBUTE_QUEUE_URL,
  ),
);
