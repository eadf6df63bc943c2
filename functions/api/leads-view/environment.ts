import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import { exportEnvironment } from '#functions/platform/environment';

export const environment = z.object({ ...apiEnvironment.shape, ...exportEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
