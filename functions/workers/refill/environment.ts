import type * as z from 'zod';
import { queueEnvironment, tableEnvironment, verificationEnvironment } from '#functions/environment';

export const environment = tableEnvironment
  .extend(queueEnvironment.shape)
  .extend(verificationEnvironment.shape);
export type FunctionEnvironment = z.output<typeof environment>;
