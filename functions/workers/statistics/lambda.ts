import { createLambda, healthCheckTable } from '#functions/platform/readiness';
import { environment } from '#functions/workers/statistics/environment';
import { create } from '#functions/workers/statistics/index';

export const handler = createLambda(environment, create, healthCheckTable);
