import { environment } from '#functions/api/intake/environment';
import { create } from '#functions/api/intake/index';
import { healthCheckApi } from '#functions/http/readiness';
import { healthCheckIntake } from '#functions/platform/intake';
import { createLambda } from '#functions/platform/readiness';
import { phonePlans } from '#functions/verification/offline';

// Needed for every lead: loads while the first call waits for the table.
void phonePlans();

export const handler = createLambda(environment, create, healthCheckApi, healthCheckIntake);
