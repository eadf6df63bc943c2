import * as z from 'zod/mini';
import { queueEnvironment, tableEnvironment } from '#functions/platform/environment';

export const environment = z.object({ ...tableEnvironment.shape, ...queueEnvironment.shape });
export type FunctionEnvironment = z.output<typeof environment>;
