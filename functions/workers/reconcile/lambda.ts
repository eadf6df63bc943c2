import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/reconcile/environment';
import { create } from '#functions/workers/reconcile/index';

export const handler = createLambda(environment, create, healthCheckTable, (variables, runtime) =>
  healthCheckQueue(
    variables,
    runtime,
    variables.DELIVER_QUEUE_URL,
    variables.NOTIFY_QUEUE_URL,
    variables.CALLBACK_QUEUE_URL,
  ),
);
