import * as z from 'zod/mini';
import { distributionEnvironment, keyEnvironment, queueEnvironment } from '#functions/platform/environment';

const { REDISTRIBUTE_QUEUE_URL, SQS_ENDPOINT } = queueEnvironment.shape;

export const environment = z.object({
  ...distributionEnvironment.shape,
  ...keyEnvironment.shape,
  REDISTRIBUTE_QUEUE_URL,
  SQS_ENDPOINT,
});
export type FunctionEnvironment = z.output<typeof environment>;
