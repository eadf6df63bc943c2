import { environment } from '#functions/api/people/environment';
import { create } from '#functions/api/people/index';
import { readEnvironment } from '#functions/environment';
import { apiProof } from '#functions/http/readiness';
import { provable } from '#functions/readiness';
import { systemRuntime } from '#functions/runtime';

const variables = readEnvironment(environment);
export const handler = provable(create(variables, systemRuntime), apiProof(variables, systemRuntime));
