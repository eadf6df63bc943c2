import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import {
  erasureEnvironment,
  exportEnvironment,
  providerKeyEnvironment,
} from '#functions/platform/environment';

export const environment = z.object({
  ...apiEnvironment.shape,
  ...providerKeyEnvironment.shape,
  ...exportEnvironment.shape,
  ...erasureEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
