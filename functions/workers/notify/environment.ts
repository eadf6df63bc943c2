import type * as z from 'zod';
import {
  keyEnvironment,
  linkEnvironment,
  operatorEnvironment,
  partnerEnvironment,
  tableEnvironment,
} from '#functions/environment';

export const environment = tableEnvironment
  .extend(keyEnvironment.shape)
  .extend(linkEnvironment.shape)
  .extend(partnerEnvironment.pick({ PUSHOVER_API_URL: true, ALLOW_PRIVATE_HOSTS: true }).shape)
  .extend(operatorEnvironment.shape);
export type FunctionEnvironment = z.output<typeof environment>;
