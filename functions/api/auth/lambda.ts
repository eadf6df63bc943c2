import { environment } from '#functions/api/auth/environment';
import { create } from '#functions/api/auth/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
