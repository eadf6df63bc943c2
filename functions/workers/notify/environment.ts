import * as z from 'zod/mini';
import {
  keyEnvironment,
  linkEnvironment,
  operatorEnvironment,
  partnerEnvironment,
  tableEnvironment,
  verificationEnvironment,
} from '#functions/platform/environment';

const { PUSHOVER_API_URL, ALLOW_PRIVATE_HOSTS } = partnerEnvironment.shape;

export const environment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  ...linkEnvironment.shape,
  PUSHOVER_API_URL,
  ALLOW_PRIVATE_HOSTS,
  ...operatorEnvironment.shape,
  ...verificationEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
