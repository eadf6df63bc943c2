import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/statistics/environment';
import { create } from '#functions/workers/statistics/index';

export const handler = create(readEnvironment(environment), systemRuntime);
