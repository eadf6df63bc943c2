import { environment } from '#functions/api/settings/environment';
import { create } from '#functions/api/settings/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
