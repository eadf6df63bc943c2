import { environment } from '#functions/api/claims/environment';
import { create } from '#functions/api/claims/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
