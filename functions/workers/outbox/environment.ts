import * as z from 'zod/mini';
import { queueEnvironment, sendingQueueEnvironment, tableEnvironment } from '#functions/platform/environment';

const { REDISTRIBUTE_QUEUE_URL } = queueEnvironment.shape;

export const environment = z.object({
  ...tableEnvironment.shape,
  ...sendingQueueEnvironment.shape,
  REDISTRIBUTE_QUEUE_URL,
});
export type FunctionEnvironment = z.output<typeof environment>;
