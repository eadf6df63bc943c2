import type * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';

export const environment = apiEnvironment;
export type FunctionEnvironment = z.output<typeof environment>;
