import { environment } from '#functions/api/meta/environment';
import { create } from '#functions/api/meta/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
