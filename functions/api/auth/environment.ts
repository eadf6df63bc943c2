import type * as z from 'zod';
import { siteGateEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = apiEnvironment.extend(siteGateEnvironment.shape);
export type FunctionEnvironment = z.output<typeof environment>;
