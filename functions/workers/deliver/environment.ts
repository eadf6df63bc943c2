import * as z from 'zod/mini';
import {
  deadLetterEnvironment,
  deliveryEnvironment,
  keyEnvironment,
  linkEnvironment,
  partnerEnvironment,
  queueEnvironment,
  tableEnvironment,
} from '#functions/platform/environment';

const { DELIVER_QUEUE_URL, SQS_ENDPOINT } = queueEnvironment.shape;

export const environment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  ...linkEnvironment.shape,
  DELIVER_QUEUE_URL,
  SQS_ENDPOINT,
  ...deadLetterEnvironment.shape,
  ...partnerEnvironment.shape,
  ...deliveryEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
