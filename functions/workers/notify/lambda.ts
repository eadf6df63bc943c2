import { createKeyLoader } from '#functions/keys/keys';
import { readEnvironment } from '#functions/platform/environment';
import { provable, tableProof } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { environment } from '#functions/workers/notify/environment';
import { create } from '#functions/workers/notify/index';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  tableProof(variables, systemRuntime),
  createKeyLoader(variables),
);
