import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import { distributionEnvironment } from '#functions/platform/environment';

export const environment = z.object({ ...apiEnvironment.shape, ...distributionEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
