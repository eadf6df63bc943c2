import * as z from 'zod/mini';
import { queueEnvironment, tableEnvironment, verificationEnvironment } from '#functions/platform/environment';

export const environment = z.object({
  ...tableEnvironment.shape,
  ...queueEnvironment.shape,
  ...verificationEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
