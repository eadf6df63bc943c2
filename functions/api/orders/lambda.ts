import { environment } from '#functions/api/orders/environment';
import { create } from '#functions/api/orders/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
