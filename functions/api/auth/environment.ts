import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import { mailEnvironment, siteGateEnvironment } from '#functions/platform/environment';

export const environment = z.object({
  ...apiEnvironment.shape,
  ...siteGateEnvironment.shape,
  ...mailEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
