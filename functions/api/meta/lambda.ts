import { environment } from '#functions/api/meta/environment';
import { create } from '#functions/api/meta/index';
import { systemRuntime } from '#functions/runtime';

export const handler = create(environment.parse(process.env), systemRuntime);
