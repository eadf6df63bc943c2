import { environment } from '#functions/api/orders/environment';
import { create } from '#functions/api/orders/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
