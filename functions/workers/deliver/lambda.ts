import { createKeyLoader } from '#functions/keys/keys';
import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/deliver/environment';
import { create } from '#functions/workers/deliver/index';

export const handler = createLambda(
  environment,
  create,
  healthCheckTable,
  (variables) => createKeyLoader(variables)(),
  (variables, runtime) =>
    healthCheckQueue(variables, runtime, variables.DELIVER_QUEUE_URL, variables.DELIVER_DLQ_URL),
);
