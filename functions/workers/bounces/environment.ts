import * as z from 'zod/mini';
import { keyEnvironment, tableEnvironment } from '#functions/platform/environment';

export const environment = z.object({ ...tableEnvironment.shape, ...keyEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
