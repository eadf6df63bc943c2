import { environment } from '#functions/api/deliveries/environment';
import { create } from '#functions/api/deliveries/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
