import { environment } from '#functions/api/auth/environment';
import { create } from '#functions/api/auth/index';
import { healthCheckApi } from '#functions/http/readiness';
import { readSecretText } from '#functions/keys/keys';
import { createLambda } from '#functions/platform/readiness';

export const handler = createLambda(
  environment,
  create,
  healthCheckApi,
  async ({ CLOUDFRONT_KEY_ARN }) => CLOUDFRONT_KEY_ARN === undefined || readSecretText(CLOUDFRONT_KEY_ARN),
);
