import { environment } from '#functions/api/insights/environment';
import { create } from '#functions/api/insights/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
