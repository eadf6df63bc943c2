import { environment } from '#functions/api/auth/environment';
import { create } from '#functions/api/auth/index';
import { apiProof } from '#functions/http/readiness';
import { readSecretText } from '#functions/keys/keys';
import { readEnvironment } from '#functions/platform/environment';
import { provable } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  apiProof(variables, systemRuntime),
  async () => variables.CLOUDFRONT_KEY_ARN === undefined || readSecretText(variables.CLOUDFRONT_KEY_ARN),
);
