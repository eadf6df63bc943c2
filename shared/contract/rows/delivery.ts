import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';
import { DELIVERY_STATUSES, REASSIGNMENT_BLOCKERS } from '#shared/rules/constants';

/** Stored as it is shown, without secrets and links. */
export const attempt = z.object({
  at: z.string(),
  outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown', 'skipped']),
  status_code: z.nullable(z.number()),
  request: z.nullable(z.string()),
  /** The first 500 characters. */
  answer: z.nullable(z.string()),
  duration_ms: z.number(),
});

export const deliveryRow = z.object({
  lead_id: z.string(),
  display_id: z.string(),
  buyer_id: z.string(),
  order_id: z.number(),
  channel: z.enum(CHANNELS),
  status: z.enum(DELIVERY_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  next_attempt_at: z.nullable(z.string()),
  external_id: z.nullable(z.string()),
  error: z.nullable(z.string()),
  /** Why the lead stays although its partner refused it; null if the buyer keeps refused leads. */
  reassignment_blocker: z.nullable(z.enum(REASSIGNMENT_BLOCKERS)),
  /** When the lead left this buyer after a refusal. */
  reassigned_at: z.nullable(z.string()),
  attempts: z.array(attempt),
});
