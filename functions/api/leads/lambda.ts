import { environment } from '#functions/api/leads/environment';
import { create } from '#functions/api/leads/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { phonePlans } from '#functions/verification/offline';

// Every new lead's number is checked by them: they load while the first call waits for the table.
void phonePlans();

export const handler = create(readEnvironment(environment), systemRuntime);
