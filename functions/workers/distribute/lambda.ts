import { readEnvironment } from '#functions/environment';
import { queueProof } from '#functions/queues/readiness';
import { provable, tableProof } from '#functions/readiness';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/distribute/environment';
import { create } from '#functions/workers/distribute/index';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  tableProof(variables, systemRuntime),
  queueProof(variables, systemRuntime, variables.DISTRIBUTE_QUEUE_URL),
);
