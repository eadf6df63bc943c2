import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/deliver/environment';
import { create } from '#functions/workers/deliver/index';

export const handler = create(readEnvironment(environment), systemRuntime);
