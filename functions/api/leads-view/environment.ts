import type * as z from 'zod';
import { exportEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = apiEnvironment.extend(exportEnvironment.shape);
export type FunctionEnvironment = z.output<typeof environment>;
