import * as z from 'zod/mini';
import { exportEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = z.object({ ...apiEnvironment.shape, ...exportEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
