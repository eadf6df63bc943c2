import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/notify/environment';
import { create } from '#functions/workers/notify/index';

export const handler = create(readEnvironment(environment), systemRuntime);
