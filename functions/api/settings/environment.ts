import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import { operatorEnvironment, partnerEnvironment } from '#functions/platform/environment';

const { PUSHOVER_API_URL, ALLOW_PRIVATE_HOSTS } = partnerEnvironment.shape;

export const environment = z.object({
  ...apiEnvironment.shape,
  PUSHOVER_API_URL,
  ALLOW_PRIVATE_HOSTS,
  ...operatorEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
