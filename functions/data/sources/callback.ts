import * as z from 'zod/mini';
import { sendingShape } from '#functions/data/deliveries/sending';
import { personal } from '#functions/data/personal';
import {
  CALLBACK_EVENTS,
  type CallbackEvent,
  ENDPOINTS,
  type Endpoint,
  PENDING_REASONS,
} from '#shared/rules/constants';

/** One change of a lead, sent to one endpoint of its source. */
export const callbackSchema = z.object({
  lead_id: z.string(),
  /** Derived from endpoint, event and distribution attempt, so that the same change makes the same callback. */
  callback_id: z.string(),
  source: z.int(),
  endpoint: z.enum(ENDPOINTS),
  event: z.enum(CALLBACK_EVENTS),
  distribution_attempt: z.int(),
  occurred_at: z.string(),
  received_at: z.string(),
  reason: z.optional(z.enum(PENDING_REASONS)),
  /** Sent only to a source that may see it. */
  buyer: z.optional(z.int()),
  /** A discarded lead has lost both. */
  external_id: personal(z.optional(z.string())),
  clickId: personal(z.optional(z.string())),
  ...sendingShape,
});
export type Callback = z.output<typeof callbackSchema>;

export type SourceEvent = Pick<
  Callback,
  | 'lead_id'
  | 'source'
  | 'event'
  | 'distribution_attempt'
  | 'received_at'
  | 'reason'
  | 'buyer'
  | 'external_id'
  | 'clickId'
> & {
  /** The lead was reassigned. Reported only to sources that see buyers. */
  readonly ofBuyersOnly?: true;
  /** Seconds since 1970; undefined if the stream does not say. */
  readonly occurredAtSeconds?: number;
};

const nameOf = (event: CallbackEvent) => event.replace('.', '_');

export const callbackId = (
  endpoint: Endpoint,
  { event, distribution_attempt }: Pick<Callback, 'event' | 'distribution_attempt'>,
): string => `${endpoint}_${nameOf(event)}_${distribution_attempt}`;

/** Receivers recognise a repeated callback by this ID. It is the same for every attempt and both endpoints. */
export const eventIdOf = ({ lead_id, event, distribution_attempt }: Callback): string =>
  `${lead_id}_${nameOf(event)}_${distribution_attempt}`;

/** An event after the end of a distribution attempt is later than the event of its end. */
export const sequenceOf = ({ event, distribution_attempt }: Callback): number =>
  distribution_attempt * 2 + (event === 'lead.assigned' || event === 'lead.pending' ? 0 : 1);
