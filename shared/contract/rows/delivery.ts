import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';
import { DELIVERY_STATUSES, KEPT_REASONS } from '#shared/rules/constants';

/** One delivery attempt, stored as it is shown. */
export const attempt = z.object({
  at: z.string(),
  outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown', 'skipped']),
  status_code: z.nullable(z.number()),
  /** The request, without secrets and links. */
  request: z.nullable(z.string()),
  /** The first 500 characters of the answer, without secrets and links. */
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
  /** Why the lead stays, though its partner refused it and its buyer gives refused leads on; otherwise null. */
  kept: z.nullable(z.enum(KEPT_REASONS)),
  /** When the lead left this buyer, because its partner refused it; otherwise null. Nothing is sent by this delivery any more. */
  given_on_at: z.nullable(z.string()),
  attempts: z.array(attempt),
});
