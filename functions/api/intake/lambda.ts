import { environment } from '#functions/api/intake/environment';
import { create } from '#functions/api/intake/index';
import { healthCheckApi } from '#functions/http/readiness';
import { readEnvironment } from '#functions/platform/environment';
import { healthCheckIntake } from '#functions/platform/intake';
import { healthCheck } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { phonePlans } from '#functions/verification/offline';

// Needed for every lead: loads while the first call waits for the table.
void phonePlans();

const variables = readEnvironment(environment);
export const handler = healthCheck(
  create(variables, systemRuntime),
  healthCheckApi(variables, systemRuntime),
  healthCheckIntake(variables, systemRuntime),
);
