import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import { verificationEnvironment } from '#functions/platform/environment';

export const environment = z.object({ ...apiEnvironment.shape, ...verificationEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
