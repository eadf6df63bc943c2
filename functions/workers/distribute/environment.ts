import type * as z from 'zod/mini';
import { distributionEnvironment } from '#functions/platform/environment';

export const environment = distributionEnvironment;
export type FunctionEnvironment = z.output<typeof environment>;
