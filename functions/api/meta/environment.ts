import * as z from 'zod/mini';
import { linkEnvironment, originEnvironment, tableEnvironment } from '#functions/platform/environment';

/** No keys: all calls of this function are public. */
export const environment = z.object({
  ...tableEnvironment.shape,
  ...linkEnvironment.shape,
  ...originEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
