import { environment } from '#functions/api/auth/environment';
import { create } from '#functions/api/auth/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
