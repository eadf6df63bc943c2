import { environment } from '#functions/api/buyers/environment';
import { create } from '#functions/api/buyers/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
