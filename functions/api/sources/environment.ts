import type * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/deps';

export const environment = apiEnvironment;
export type FunctionEnvironment = z.output<typeof environment>;
