import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/sweep/environment';
import { create } from '#functions/workers/sweep/index';

export const handler = create(readEnvironment(environment), systemRuntime);
