import { environment } from '#functions/api/pending-leads/environment';
import { create } from '#functions/api/pending-leads/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
