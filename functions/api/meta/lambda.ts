import { environment } from '#functions/api/meta/environment';
import { create } from '#functions/api/meta/index';
import { readEnvironment } from '#functions/environment';
import { originProof } from '#functions/http/readiness';
import { provable } from '#functions/readiness';
import { systemRuntime } from '#functions/runtime';

const variables = readEnvironment(environment);
export const handler = provable(create(variables, systemRuntime), originProof(variables, systemRuntime));
