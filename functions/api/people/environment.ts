import * as z from 'zod/mini';
import { erasureEnvironment, exportEnvironment, verificationEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = z.object({
  ...apiEnvironment.shape,
  ...verificationEnvironment.shape,
  ...exportEnvironment.shape,
  ...erasureEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
