import { createKeyLoader } from '#functions/keys/keys';
import { readEnvironment } from '#functions/platform/environment';
import { provable, tableProof } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { queueProof } from '#functions/queues/readiness';
import { environment } from '#functions/workers/deliver/environment';
import { create } from '#functions/workers/deliver/index';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  tableProof(variables, systemRuntime),
  createKeyLoader(variables),
  queueProof(variables, systemRuntime, variables.DELIVER_QUEUE_URL, variables.DELIVER_DLQ_URL),
);
