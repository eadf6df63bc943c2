import { environment } from '#functions/api/leads/environment';
import { create } from '#functions/api/leads/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
