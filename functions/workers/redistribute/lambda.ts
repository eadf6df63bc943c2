import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/redistribute/environment';
import { create } from '#functions/workers/redistribute/index';

export const handler = create(readEnvironment(environment), systemRuntime);
