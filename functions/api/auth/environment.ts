import * as z from 'zod/mini';
import { mailEnvironment, siteGateEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = z.object({
  ...apiEnvironment.shape,
  ...siteGateEnvironment.shape,
  ...mailEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
