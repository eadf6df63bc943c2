import { environment } from '#functions/api/pending-leads/environment';
import { create } from '#functions/api/pending-leads/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
