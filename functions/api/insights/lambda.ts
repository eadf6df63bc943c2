import { environment } from '#functions/api/insights/environment';
import { create } from '#functions/api/insights/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
