import { environment } from '#functions/api/leads-view/environment';
import { create } from '#functions/api/leads-view/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
