import { createKeyLoader } from '#functions/keys/keys';
import { readEnvironment } from '#functions/platform/environment';
import { provable, tableProof } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { queueProof } from '#functions/queues/readiness';
import { environment } from '#functions/workers/callback/environment';
import { create } from '#functions/workers/callback/index';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  tableProof(variables, systemRuntime),
  createKeyLoader(variables),
  queueProof(variables, systemRuntime, variables.CALLBACK_QUEUE_URL),
);
