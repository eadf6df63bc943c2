import type * as z from 'zod';
import { verificationEnvironment } from '#functions/environment';
import { apiEnvironment } from '#functions/http/deps';

export const environment = apiEnvironment.extend(verificationEnvironment.shape);
export type FunctionEnvironment = z.output<typeof environment>;
