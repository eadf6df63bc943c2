import { environment } from '#functions/api/deliveries/environment';
import { create } from '#functions/api/deliveries/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
