import * as z from 'zod/mini';
import { siteGateEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = z.object({ ...apiEnvironment.shape, ...siteGateEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
