import { environment } from '#functions/api/insights/environment';
import { create } from '#functions/api/insights/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
