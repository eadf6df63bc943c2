import { readEnvironment } from '#functions/platform/environment';
import { provable, tableProof } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { queueProof } from '#functions/queues/readiness';
import { environment } from '#functions/workers/redistribute/environment';
import { create } from '#functions/workers/redistribute/index';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  tableProof(variables, systemRuntime),
  queueProof(variables, systemRuntime, variables.REDISTRIBUTE_QUEUE_URL),
);
