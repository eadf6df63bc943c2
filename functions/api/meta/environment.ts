import * as z from 'zod/mini';
import { linkEnvironment, originEnvironment, tableEnvironment } from '#functions/environment';

/** No keys: everything here is open to everyone, so no session is read. */
export const environment = z.object({
  ...tableEnvironment.shape,
  ...linkEnvironment.shape,
  ...originEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
