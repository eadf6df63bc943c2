import { environment } from '#functions/api/settings/environment';
import { create } from '#functions/api/settings/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckApi);
