import { environment } from '#functions/api/people/environment';
import { create } from '#functions/api/people/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
