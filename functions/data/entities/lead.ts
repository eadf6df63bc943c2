import * as z from 'zod';
import {
  CHANNELS,
  CLAIM_STATUSES,
  DELIVERY_STATUSES,
  LEAD_TYPES,
  PENDING_REASONS,
  SALUTATIONS,
} from '#shared/contract/constants';

/** What a person told us. */
export const personSchema = z.object({
  anrede: z.enum(SALUTATIONS),
  vorname: z.string(),
  nachname: z.string(),
  email: z.string(),
  telefon: z.string(),
  /** Cents. */
  anlagebetrag: z.number().int(),
  /** Months. */
  laufzeit: z.number().int(),
  clickId: z.string().optional(),
  src: z.string().optional(),
});
export type Person = z.output<typeof personSchema>;

/**
 * - `received`: in flight, being distributed
 * - `assigned`: belongs to one order for good
 * - `pending`: waits for an order or a person
 * - `discarded`: thrown away while pending; its personal data are gone
 * - `deleted`: taken out of its order by an admin
 */
export const LEAD_STATUSES = ['received', 'assigned', 'pending', 'discarded', 'deleted'] as const;

export const leadSchema = z.object({
  lead_id: z.string(),
  status: z.enum(LEAD_STATUSES),
  ...personSchema.shape,
  received_at: z.string(),
  /**
   * Counts the times the lead took off: at intake, by hand, from the backlog, and when the sweep takes over. Whoever
   * flies it states the number; after a take-over the earlier flight can no longer land.
   */
  flight: z.number().int(),
  /** While in flight: when this flight began. */
  in_flight_since: z.string().optional(),
  /** While in flight: the buyer an admin chose. */
  wanted_buyer: z.number().int().optional(),
  /** While in flight to it: that admin. */
  wanted_by: z.string().optional(),
  /** True when the flight skips verification (by hand and from the backlog). */
  verified: z.boolean().optional(),
  /** What verification had to say though it let the lead pass. */
  verification_notes: z.array(z.string()).optional(),
  /** While pending. */
  reason: z.enum(PENDING_REASONS).optional(),
  /** While pending for manual review: the buyer it was meant for. */
  meant_for: z.number().int().optional(),
  /** Once assigned. */
  buyer: z.number().int().optional(),
  order_id: z.number().int().optional(),
  sequence: z.number().int().optional(),
  lead_type: z.enum(LEAD_TYPES).optional(),
  assigned_at: z.string().optional(),
  claim_id: z.number().int().optional(),
  claim_status: z.enum(CLAIM_STATUSES).optional(),
  claim_reason: z.string().optional(),
  deleted_at: z.string().optional(),
});
export type Lead = z.output<typeof leadSchema>;

/** `{order_id}-{lead_sequence}` */
export function displayId(lead: { order_id: number; sequence: number }): string {
  return `${lead.order_id}-${lead.sequence}`;
}

export const attemptSchema = z.object({
  at: z.string(),
  outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown', 'skipped']),
  status_code: z.number().nullable(),
  /** What was sent, secrets and links removed. */
  request: z.string().nullable(),
  /** The first 500 characters of what came back, secrets and links removed. */
  answer: z.string().nullable(),
  duration_ms: z.number(),
});
export type Attempt = z.output<typeof attemptSchema>;

/** One lead over one channel. */
export const deliverySchema = z.object({
  lead_id: z.string(),
  channel: z.enum(CHANNELS),
  buyer: z.number().int(),
  order_id: z.number().int(),
  sequence: z.number().int(),
  lead_type: z.enum(LEAD_TYPES),
  status: z.enum(DELIVERY_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  /** Counts the times it was put on the queue: 1 at first, one more for each "send again". */
  round: z.number().int(),
  /** Attempts made in this round. */
  tries: z.number().int(),
  next_attempt_at: z.string().nullable(),
  /** When this round began; absent in the first, which began with the delivery. */
  queued_at: z.string().optional(),
  /** While a worker is sending it: until when it has time before another may take over. */
  sending_until: z.string().optional(),
  external_id: z.string().nullable(),
  error: z.string().nullable(),
  attempts: z.array(attemptSchema),
});
export type Delivery = z.output<typeof deliverySchema>;

/** Why the lead went where it went, enough to make the choice again. Buyers by internal id. */
export const decisionSchema = z.object({
  lead_id: z.string(),
  flight: z.number().int(),
  /** The version of the share rule. */
  rule: z.string(),
  decided_at: z.string(),
  /** `weights` by the largest deficit, `drawn` by chance in proportion to need, `manual` by an admin. */
  mode: z.enum(['weights', 'drawn', 'manual']),
  winner: z.number().int().nullable(),
  /** The number in [0, 1) by which a `drawn` winner was chosen. */
  draw: z.number().optional(),
  /** `[buyer, weight in hundredths of a percent, deficit before the choice in shares]`, as compact JSON. */
  eligible: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int()])),
  not_eligible: z.record(z.string(), z.array(z.number().int())),
});
export type Decision = z.output<typeof decisionSchema>;
