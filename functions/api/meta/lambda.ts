import { environment } from '#functions/api/meta/environment';
import { create } from '#functions/api/meta/index';
import { originProof } from '#functions/http/readiness';
import { readEnvironment } from '#functions/platform/environment';
import { provable } from '#functions/platform/readiness';
import { systemRuntime } from '#functions/platform/runtime';

const variables = readEnvironment(environment);
export const handler = provable(create(variables, systemRuntime), originProof(variables, systemRuntime));
