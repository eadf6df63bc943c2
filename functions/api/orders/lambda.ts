import { environment } from '#functions/api/orders/environment';
import { create } from '#functions/api/orders/index';
import { readEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';

export const handler = create(readEnvironment(environment), systemRuntime);
