import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/outbox/environment';
import { create } from '#functions/workers/outbox/index';

export const handler = create(readEnvironment(environment), systemRuntime);
