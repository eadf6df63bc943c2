import { environment } from '#functions/api/deliveries/environment';
import { create } from '#functions/api/deliveries/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
