import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { healthCheckQueue } from '#functions/queues/readiness';
import { environment } from '#functions/workers/distribute/environment';
import { create } from '#functions/workers/distribute/index';

export const handler = createLambda(environment, create, healthCheckTable, (variables, runtime) =>
  healthCheckQueue(variables, runtime, variables.DISTRIBUTE_QUEUE_URL),
);
