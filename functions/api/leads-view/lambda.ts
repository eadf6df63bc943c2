import { environment } from '#functions/api/leads-view/environment';
import { create } from '#functions/api/leads-view/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
