import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/redistribute/environment';
import { create } from '#functions/workers/redistribute/index';

export const handler = createLambda(environment, create, healthCheckTable, (variables, runtime) =>
  healthCheckQueue(variables, runtime, variables.REDISTRIBUTE_QUEUE_URL),
);
