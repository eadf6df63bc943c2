import type * as z from 'zod';
import {
  deadLetterEnvironment,
  keyEnvironment,
  operatorEnvironment,
  partnerEnvironment,
  queueEnvironment,
  tableEnvironment,
} from '#functions/environment';

export const environment = tableEnvironment
  .extend(keyEnvironment.shape)
  .extend(queueEnvironment.pick({ DELIVER_QUEUE_URL: true, SQS_ENDPOINT: true }).shape)
  .extend(deadLetterEnvironment.shape)
  .extend(partnerEnvironment.shape)
  .extend(operatorEnvironment.shape);
export type FunctionEnvironment = z.output<typeof environment>;
