import { environment } from '#functions/api/settings/environment';
import { create } from '#functions/api/settings/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
