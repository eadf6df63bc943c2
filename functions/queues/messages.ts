/** The messages of the queues. They contain only ids and counts, so that a worker reads the current data. */
import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';
import { ALERT_MEDIA } from '#shared/rules/constants';

/**
 * Make a delivery attempt. `round` and `attempt_count` identify it; a message for an attempt that was already made is
 * dropped, so repeated messages are harmless.
 */
export const deliverMessage = z.object({
  lead_id: z.string(),
  channel: z.enum(CHANNELS),
  round: z.int(),
  attempt_count: z.int(),
  /** The buyer's internal number: buyers take turns. */
  buyer: z.optional(z.int()),
  /** How often it came back because the destination was busy; absent: never. */
  busy: z.optional(z.int()),
  /** The unfinished attempt whose end it has waited for, by `sending_by`. */
  unfinished: z.optional(z.string()),
});
export type DeliverMessage = z.output<typeof deliverMessage>;

/** Send the notifications about a lead, a claim or an erasure, or an alert; or review a claim that was filed. */
export const notifyMessage = z.discriminatedUnion('about', [
  z.object({ about: z.literal('lead'), lead_id: z.string(), status: z.enum(['assigned', 'ineligible']) }),
  z.object({ about: z.literal('claim_filed'), lead_id: z.string() }),
  z.object({ about: z.literal('claim_review'), lead_id: z.string() }),
  z.object({
    about: z.literal('claim_decided'),
    lead_id: z.string(),
    status: z.enum(['approved', 'rejected']),
  }),
  z.object({
    about: z.literal('erasure'),
    lead_id: z.string(),
    erasure: z.string(),
    buyer: z.int(),
    letter: z.int(),
  }),
  z.object({ about: z.literal('link_code'), order_id: z.int(), request: z.string() }),
  z.object({ about: z.literal('link_renewed'), order_id: z.int(), request: z.string() }),
  z.object({ about: z.literal('order_nearly_full'), order_id: z.int(), request: z.string() }),
  z.object({ about: z.literal('weekly_statement'), order_id: z.int(), request: z.string() }),
  z.object({ about: z.literal('order_renewed'), order_id: z.int(), request: z.string() }),
  z.object({ about: z.literal('alert'), alert: z.string(), medium: z.enum(ALERT_MEDIA) }),
  z.object({ about: z.literal('statement'), order_id: z.int(), request: z.string() }),
]);
export type NotifyMessage = z.output<typeof notifyMessage>;

/** Distribute a batch. Repeated messages are harmless: what was chosen for the batch stands in the table. */
export const distributeMessage = z.object({
  batch_id: z.string(),
  /**
   * Positions of leads that are not to be distributed: an earlier call had stored them, or they were refused. Absent where
   * nobody knows, then the leads are read.
   */
  absent: z.optional(z.array(z.int())),
});
export type DistributeMessage = z.output<typeof distributeMessage>;

/**
 * A buyer gained capacity: redistribute the backlog. Or a buyer refused a lead: distribute that one. Or its order is full: open the
 * next one, if there is to be one.
 */
export const redistributeMessage = z.object({
  /** The buyer's internal number; but for a full order only for the log, as the whole backlog is redistributed. */
  buyer: z.int(),
  /** The refused lead, and the distribution attempt by which it left its order; the backlog is then not meant. */
  given_on: z.optional(z.object({ lead_id: z.string(), distribution_attempt: z.int() })),
  /** Instead: the buyer's order is full, so the next one is to be opened, if there is to be one. */
  full: z.optional(z.literal(true)),
  /** Continue after this lead, the last one that an earlier run handled; absent: start at the oldest. */
  last: z.optional(z.object({ lead_id: z.string(), received_at: z.string() })),
});
export type RedistributeMessage = z.output<typeof redistributeMessage>;

/** Make an attempt to tell a source of a change of its lead; like `deliverMessage`. */
export const callbackMessage = z.object({
  lead_id: z.string(),
  /** Within the lead. */
  callback_id: z.string(),
  round: z.int(),
  attempt_count: z.int(),
  /** How often it came back because the receiver was busy; absent: never. */
  busy: z.optional(z.int()),
});
export type CallbackMessage = z.output<typeof callbackMessage>;
