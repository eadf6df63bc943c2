import { readEnvironment } from '#functions/environment';
import { createKeyLoader } from '#functions/keys/keys';
import { queueProof } from '#functions/queues/readiness';
import { provable, tableProof } from '#functions/readiness';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/callback/environment';
import { create } from '#functions/workers/callback/index';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  tableProof(variables, systemRuntime),
  createKeyLoader(variables),
  queueProof(variables, systemRuntime, variables.CALLBACK_QUEUE_URL),
);
