import * as z from 'zod/mini';
import { sendingShape } from '#functions/data/deliveries/sending';
import { personal } from '#functions/data/personal';
import {
  CALLBACK_EVENTS,
  ENDPOINTS,
  type Endpoint,
  FEEDBACKS,
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
  /** What the buyer says now, and the number of the entry. */
  feedback: z.optional(z.enum(FEEDBACKS)),
  entry: z.optional(z.int()),
  /** In cents. */
  anlagebetrag: personal(z.optional(z.int())),
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
  | 'feedback'
  | 'entry'
  | 'anlagebetrag'
  | 'external_id'
  | 'clickId'
> & {
  /** The lead was reassigned. Reported only to sources that see buyers. */
  readonly ofBuyersOnly?: true;
  /** Seconds since 1970, with fractions; undefined if the stream does not say. */
  readonly occurredAtSeconds?: number;
};

/** A lead has at most one event of each kind in an attempt, but several entries of feedback. */
type Change = Pick<Callback, 'event' | 'distribution_attempt' | 'entry'>;

const nameOf = ({ event, distribution_attempt, entry }: Change) =>
  [event.replace('.', '_'), distribution_attempt, ...(entry === undefined ? [] : [entry])].join('_');

export const callbackId = (endpoint: Endpoint, change: Change): string => `${endpoint}_${nameOf(change)}`;

/** What a callback is about: its lead, or an order without one. */
export interface Subject {
  readonly lead_id?: string | undefined;
  readonly order_id?: number | undefined;
}

export const subjectOf = ({ lead_id, order_id }: Subject): string => lead_id ?? `order-${order_id}`;

/** Receivers recognise a repeated callback by this ID. It is the same for every attempt and every endpoint. */
export const eventIdOf = (callback: Subject & Pick<Callback, 'callback_id'>): string =>
  `${subjectOf(callback)}_${callback.callback_id.replace(/^[^_]*_/, '')}`;

/** An event after the end of a distribution attempt is later than the event of its end. Of equal ones, time decides. */
export const sequenceOf = ({ event, distribution_attempt }: Callback): number =>
  distribution_attempt * 2 + (event === 'lead.assigned' || event === 'lead.pending' ? 0 : 1);
