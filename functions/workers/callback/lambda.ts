import { createKeyLoader } from '#functions/keys/keys';
import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/callback/environment';
import { create } from '#functions/workers/callback/index';

export const handler = createLambda(
  environment,
  create,
  healthCheckTable,
  (variables) => createKeyLoader(variables)(),
  (variables, runtime) => healthCheckQueue(variables, runtime, variables.CALLBACK_QUEUE_URL),
);
