import { environment } from '#functions/api/sources/environment';
import { create } from '#functions/api/sources/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
