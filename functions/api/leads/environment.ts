import * as z from 'zod/mini';
import { verificationEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = z.object({ ...apiEnvironment.shape, ...verificationEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
