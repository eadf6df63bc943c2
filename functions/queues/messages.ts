/** Messages contain only IDs and counts; workers read the current data. */
import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';
import { ALERT_MEDIA } from '#shared/rules/constants';

/** `series` and `attempt_count` identify an attempt. Messages for completed attempts are dropped. */
export const deliverMessage = z.object({
  lead_id: z.string(),
  channel: z.enum(CHANNELS),
  series: z.int(),
  attempt_count: z.int(),
  buyer: z.optional(z.int()),
  /** How often it was requeued because the destination was busy. */
  busy: z.optional(z.int()),
  /** The unfinished attempt that it waited for, by `sending_by`. */
  unfinished: z.optional(z.string()),
});
export type DeliverMessage = z.output<typeof deliverMessage>;

/** Also starts the review of a filed claim. */
export const notifyMessage = z.discriminatedUnion('about', [
  z.object({ about: z.literal('lead'), lead_id: z.string(), status: z.enum(['assigned', 'ineligible']) }),
  z.object({ about: z.literal('claim_filed'), lead_id: z.string() }),
  z.object({ about: z.literal('claim_review'), lead_id: z.string() }),
  /** To the person of the lead. */
  z.object({ about: z.literal('confirm_consent'), lead_id: z.string() }),
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
    email_number: z.int(),
  }),
  z.object({
    about: z.enum([
      'link_code',
      'link_regenerated',
      'order_nearly_full',
      'weekly_statement',
      'order_renewed',
      'statement',
    ]),
    order_id: z.int(),
    request: z.string(),
  }),
  z.object({ about: z.literal('alert'), alert: z.string(), medium: z.enum(ALERT_MEDIA) }),
]);
export type NotifyMessage = z.output<typeof notifyMessage>;

export const distributeMessage = z.object({
  batch_id: z.string(),
  /** Positions of leads that are not to be distributed; if absent, the leads are read. */
  absent: z.optional(z.array(z.int())),
});
export type DistributeMessage = z.output<typeof distributeMessage>;

/** Redistribute the backlog after a buyer gained capacity, distribute a refused or confirmed lead, or renew a full order. */
export const redistributeMessage = z.object({
  /** The internal number, 0 for none; for the log, except for a full order. */
  buyer: z.int(),
  /** The refused or confirmed lead, and the distribution attempt by which it left its order or stopped being pending. */
  reassigned: z.optional(z.object({ lead_id: z.string(), distribution_attempt: z.int() })),
  full: z.optional(z.literal(true)),
  /** The last lead that an earlier run handled; absent: start at the oldest. */
  last: z.optional(z.object({ lead_id: z.string(), received_at: z.string() })),
});
export type RedistributeMessage = z.output<typeof redistributeMessage>;
export const isBacklog = ({ reassigned, full }: RedistributeMessage) => (reassigned ?? full) === undefined;

export const callbackMessage = z.object({
  lead_id: z.optional(z.string()),
  /** Of a webhook's call. If it has no lead, it is about the order. */
  order_id: z.optional(z.int()),
  callback_id: z.string(),
  series: z.int(),
  attempt_count: z.int(),
  busy: z.optional(z.int()),
});
export type CallbackMessage = z.output<typeof callbackMessage>;
