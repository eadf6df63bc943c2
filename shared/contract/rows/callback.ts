import * as z from 'zod/mini';
import { attempt } from '#shared/contract/rows/delivery';
import { CALLBACK_EVENTS, DELIVERY_STATUSES, ENDPOINTS, FEEDBACKS } from '#shared/rules/constants';

/** One change of a lead, reported to one endpoint of its source. */
export const callbackRow = z.object({
  lead_id: z.string(),
  callback_id: z.string(),
  event_id: z.string(),
  source_id: z.int(),
  external_id: z.nullable(z.string()),
  endpoint: z.enum(ENDPOINTS),
  event: z.enum(CALLBACK_EVENTS),
  /** What the buyer said; null if taken back, and for other events. */
  feedback: z.nullable(z.enum(FEEDBACKS)),
  occurred_at: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  next_attempt_at: z.nullable(z.string()),
  error: z.nullable(z.string()),
  attempts: z.array(attempt),
});
export type CallbackRow = z.output<typeof callbackRow>;
