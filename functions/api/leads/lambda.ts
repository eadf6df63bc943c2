import { environment } from '#functions/api/leads/environment';
import { create } from '#functions/api/leads/index';
import { apiProof } from '#functions/http/readiness';
import { readEnvironment } from '#functions/platform/environment';
import { provable } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';
import { phonePlans } from '#functions/verification/offline';

// Needed for every new lead: loads while the first call waits for the table.
void phonePlans();

const variables = readEnvironment(environment);
export const handler = provable(create(variables, systemRuntime), apiProof(variables, systemRuntime));
