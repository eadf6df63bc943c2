import { environment } from '#functions/api/people/environment';
import { create } from '#functions/api/people/index';
import { apiProof } from '#functions/http/readiness';
import { readEnvironment } from '#functions/platform/environment';
import { provable } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';

const variables = readEnvironment(environment);
export const handler = provable(create(variables, systemRuntime), apiProof(variables, systemRuntime));
