import { environment } from '#functions/api/auth/environment';
import { create } from '#functions/api/auth/index';
import { healthCheckApi } from '#functions/http/readiness';
import { readSecretText } from '#functions/keys/keys';
import { readEnvironment } from '#functions/platform/environment';
import { healthCheck } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';

const variables = readEnvironment(environment);
export const handler = healthCheck(
  create(variables, systemRuntime),
  healthCheckApi(variables, systemRuntime),
  async () => variables.CLOUDFRONT_KEY_ARN === undefined || readSecretText(variables.CLOUDFRONT_KEY_ARN),
);
