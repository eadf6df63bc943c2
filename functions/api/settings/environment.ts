import * as z from 'zod/mini';
import { partnerEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

const { PUSHOVER_API_URL, ALLOW_PRIVATE_HOSTS } = partnerEnvironment.shape;

export const environment = z.object({ ...apiEnvironment.shape, PUSHOVER_API_URL, ALLOW_PRIVATE_HOSTS });
export type FunctionEnvironment = z.output<typeof environment>;
