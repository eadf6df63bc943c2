import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import { operatorEnvironment, pushEnvironment } from '#functions/platform/environment';

export const environment = z.object({
  ...apiEnvironment.shape,
  ...pushEnvironment.shape,
  ...operatorEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
