import { environment } from '#functions/api/intake/environment';
import { create } from '#functions/api/intake/index';
import { readEnvironment } from '#functions/environment';
import { apiProof } from '#functions/http/readiness';
import { intakeProof } from '#functions/intake';
import { provable } from '#functions/readiness';
import { systemRuntime } from '#functions/runtime';
import { phonePlans } from '#functions/verification/offline';

// Every lead's number is read by them: they load while the first call waits for the table.
void phonePlans();

const variables = readEnvironment(environment);
export const handler = provable(
  create(variables, systemRuntime),
  apiProof(variables, systemRuntime),
  intakeProof(variables, systemRuntime),
);
