import type * as z from 'zod';
import { exportEnvironment, verificationEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = apiEnvironment
  .extend(verificationEnvironment.shape)
  .extend(exportEnvironment.shape);
export type FunctionEnvironment = z.output<typeof environment>;
