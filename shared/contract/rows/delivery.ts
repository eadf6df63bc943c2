import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';
import { DELIVERY_STATUSES } from '#shared/contract/constants';

/** One try of a delivery, stored as it is shown. */
export const attempt = z.object({
  at: z.string(),
  outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown', 'skipped']),
  status_code: z.nullable(z.number()),
  /** What was sent, secrets and links removed. */
  request: z.nullable(z.string()),
  /** The first 500 characters of what came back, secrets and links removed. */
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
  attempts: z.array(attempt),
});
