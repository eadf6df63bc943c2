import { environment } from '#functions/api/buyers/environment';
import { create } from '#functions/api/buyers/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
