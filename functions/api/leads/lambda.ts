import { environment } from '#functions/api/leads/environment';
import { create } from '#functions/api/leads/index';
import { healthCheckApi } from '#functions/http/readiness';
import { createLambda } from '#functions/platform/readiness';
import { phonePlans } from '#functions/verification/offline';

// Needed for every new lead: loads while the first call waits for the table.
void phonePlans();

export const handler = createLambda(environment, create, healthCheckApi);
