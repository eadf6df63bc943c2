import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import { partnerEnvironment } from '#functions/platform/environment';

export const environment = z.object({ ...apiEnvironment.shape, ...partnerEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
