import { environment } from '#functions/api/meta/environment';
import { create } from '#functions/api/meta/index';
import { healthCheckOrigin } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(environment, create, healthCheckOrigin);
