import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/refill/environment';
import { create } from '#functions/workers/refill/index';

export const handler = create(readEnvironment(environment), systemRuntime);
