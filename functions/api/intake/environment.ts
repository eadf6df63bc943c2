import * as z from 'zod/mini';
import { apiEnvironment } from '#functions/http/context';
import { queueEnvironment, verificationEnvironment } from '#functions/platform/environment';

const { DISTRIBUTE_QUEUE_URL, SQS_ENDPOINT } = queueEnvironment.shape;

export const environment = z.object({
  ...apiEnvironment.shape,
  DISTRIBUTE_QUEUE_URL,
  SQS_ENDPOINT,
  ...verificationEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
