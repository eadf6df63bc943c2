import * as z from 'zod/mini';
import { partnerEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = z.object({ ...apiEnvironment.shape, ...partnerEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
