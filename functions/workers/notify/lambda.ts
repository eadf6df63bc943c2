import { createKeyLoader } from '#functions/keys/keys';
import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { environment } from '#functions/workers/notify/environment';
import { create } from '#functions/workers/notify/index';

export const handler = createLambda(environment, create, healthCheckTable, (variables) =>
  createKeyLoader(variables)(),
);
