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

/** One change of a lead, of which one endpoint of its source is told. What it says never changes. */
export const callbackSchema = z.object({
  lead_id: z.string(),
  /** Within the lead: endpoint, event and distribution attempt, so that the same change makes the same callback. */
  callback_id: z.string(),
  source: z.int(),
  endpoint: z.enum(ENDPOINTS),
  event: z.enum(CALLBACK_EVENTS),
  /** The lead's distribution attempt, which counts up. */
  distribution_attempt: z.int(),
  occurred_at: z.string(),
  received_at: z.string(),
  /** Of a lead that became pending. */
  reason: z.optional(z.enum(PENDING_REASONS)),
  /** Of an assigned lead; told only to a source that may see it. */
  buyer: z.optional(z.int()),
  /** The source's own id of the lead, and the click that it came from: a discarded lead has lost both. */
  external_id: personal(z.optional(z.string())),
  clickId: personal(z.optional(z.string())),
  ...sendingShape,
});
export type Callback = z.output<typeof callbackSchema>;

/** What happened to a lead of a source. */
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
  /** True when the lead went on from one buyer to the next: new only to a source that sees buyers. */
  readonly ofBuyersOnly?: true;
  /** Seconds since 1970; undefined where the stream does not say. */
  readonly occurredAtSeconds?: number;
};

const nameOf = (event: CallbackEvent) => event.replace('.', '_');

export const callbackId = (
  endpoint: Endpoint,
  { event, distribution_attempt }: Pick<Callback, 'event' | 'distribution_attempt'>,
): string => `${endpoint}_${nameOf(event)}_${distribution_attempt}`;

/** What a receiver recognises a repeated callback by: the same for every attempt and both endpoints. */
export const eventIdOf = ({ lead_id, event, distribution_attempt }: Callback): string =>
  `${lead_id}_${nameOf(event)}_${distribution_attempt}`;

/** Orders the events of a lead: of one distribution attempt, what comes after its end is the later one. */
export const sequenceOf = ({ event, distribution_attempt }: Callback): number =>
  distribution_attempt * 2 + (event === 'lead.assigned' || event === 'lead.pending' ? 0 : 1);
