import { environment } from '#functions/api/buyers/environment';
import { create } from '#functions/api/buyers/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
