import { environment } from '#functions/api/leads/environment';
import { create } from '#functions/api/leads/index';
import { readEnvironment } from '#functions/environment';
import { apiProof } from '#functions/http/readiness';
import { provable } from '#functions/readiness';
import { systemRuntime } from '#functions/runtime';
import { phonePlans } from '#functions/verification/offline';

// Every new lead's number is checked by them: they load while the first call waits for the table.
void phonePlans();

const variables = readEnvironment(environment);
export const handler = provable(create(variables, systemRuntime), apiProof(variables, systemRuntime));
