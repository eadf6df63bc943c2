import * as z from 'zod/mini';
import { operatorEnvironment, partnerEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

const { PUSHOVER_API_URL, ALLOW_PRIVATE_HOSTS } = partnerEnvironment.shape;

export const environment = z.object({
  ...apiEnvironment.shape,
  PUSHOVER_API_URL,
  ALLOW_PRIVATE_HOSTS,
  ...operatorEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
