import { environment } from '#functions/api/claims/environment';
import { create } from '#functions/api/claims/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
