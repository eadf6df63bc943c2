import { readEnvironment } from '#functions/platform/environment';
import { provable, tableProof } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { queueProof } from '#functions/queues/readiness';
import { environment } from '#functions/workers/distribute/environment';
import { create } from '#functions/workers/distribute/index';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  tableProof(variables, systemRuntime),
  queueProof(variables, systemRuntime, variables.DISTRIBUTE_QUEUE_URL),
);
