import type * as z from 'zod';
import { partnerEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = apiEnvironment.extend(
  partnerEnvironment.pick({ PUSHOVER_API_URL: true, ALLOW_PRIVATE_HOSTS: true }).shape,
);
export type FunctionEnvironment = z.output<typeof environment>;
