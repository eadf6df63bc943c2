import * as z from 'zod/mini';
import { queueEnvironment, verificationEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = z.object({
  ...apiEnvironment.shape,
  ...queueEnvironment.shape,
  ...verificationEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
