import { environment } from '#functions/api/leads-view/environment';
import { create } from '#functions/api/leads-view/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
