import type * as z from 'zod/mini';
import { queueEnvironment } from '#functions/environment';

export const environment = queueEnvironment;
export type FunctionEnvironment = z.output<typeof environment>;
