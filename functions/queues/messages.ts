/** What travels on the queues. Messages carry ids only: whoever receives one reads how things stand now. */
import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';

/**
 * Try a delivery. `round` and `tries` say which try is meant; a message about one that has been made is dropped, which
 * is what makes a repeated message harmless.
 */
export const deliverMessage = z.object({
  lead_id: z.string(),
  channel: z.enum(CHANNELS),
  round: z.int(),
  attempt_count: z.int(),
});
export type DeliverMessage = z.output<typeof deliverMessage>;

/** Something that people want to be told. */
export const notifyMessage = z.discriminatedUnion('about', [
  z.object({ about: z.literal('lead'), lead_id: z.string(), status: z.enum(['assigned', 'ineligible']) }),
  z.object({ about: z.literal('claim_filed'), lead_id: z.string() }),
  z.object({
    about: z.literal('claim_decided'),
    lead_id: z.string(),
    status: z.enum(['approved', 'rejected']),
  }),
]);
export type NotifyMessage = z.output<typeof notifyMessage>;

/** A buyer can take leads that it could not take before: the backlog is distributed again. */
export const redistributeMessage = z.object({
  /** The buyer's internal id; only for the log, the whole backlog is looked at. */
  buyer: z.int(),
  /** Absent: from the beginning of the backlog. Otherwise after this lead, the last that an earlier run looked at. */
  last: z.optional(z.object({ lead_id: z.string(), received_at: z.string() })),
});
export type RedistributeMessage = z.output<typeof redistributeMessage>;
