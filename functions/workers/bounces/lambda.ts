import { readEnvironment } from '#functions/environment';
import { createKeyLoader } from '#functions/keys/keys';
import { provable, tableProof } from '#functions/readiness';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/bounces/environment';
import { create } from '#functions/workers/bounces/index';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  tableProof(variables, systemRuntime),
  createKeyLoader(variables),
);
