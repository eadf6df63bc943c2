import { createKeyLoader } from '#functions/keys/keys';
import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { environment } from '#functions/workers/bounces/environment';
import { create } from '#functions/workers/bounces/index';

export const handler = createLambda(environment, create, healthCheckTable, (variables) =>
  createKeyLoader(variables)(),
);
