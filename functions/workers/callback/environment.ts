import * as z from 'zod/mini';
import {
  deliveryEnvironment,
  keyEnvironment,
  operatorEnvironment,
  partnerEnvironment,
  queueEnvironment,
  tableEnvironment,
} from '#functions/platform/environment';

const { CALLBACK_QUEUE_URL, SQS_ENDPOINT } = queueEnvironment.shape;
const { ALLOW_PRIVATE_HOSTS } = partnerEnvironment.shape;

export const environment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  CALLBACK_QUEUE_URL,
  SQS_ENDPOINT,
  ALLOW_PRIVATE_HOSTS,
  ...deliveryEnvironment.shape,
  ...operatorEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
