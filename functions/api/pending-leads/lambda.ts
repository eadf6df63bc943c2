import { environment } from '#functions/api/pending-leads/environment';
import { create } from '#functions/api/pending-leads/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
