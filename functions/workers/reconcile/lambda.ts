import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import { environment } from '#functions/workers/reconcile/environment';
import { create } from '#functions/workers/reconcile/index';

export const handler = create(readEnvironment(environment), systemRuntime);
