import { environment } from '#functions/api/claims/environment';
import { create } from '#functions/api/claims/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
