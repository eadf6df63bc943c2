import type * as z from 'zod/mini';
import { tableEnvironment } from '#functions/platform/environment';

export const environment = tableEnvironment;
export type FunctionEnvironment = z.output<typeof environment>;
