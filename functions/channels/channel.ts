/** What every channel is: something that takes a lead to a buyer and says how that went. */

import type { Template } from '#functions/data/administration/template';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { Delivery, Person } from '#functions/data/leads/lead';

/** Everything a channel may use of a lead on its way. */
export interface DeliveryPayload {
  readonly lead_id: string;
  readonly person: Person;
  readonly delivery: Pick<Delivery, 'order_id' | 'sequence' | 'lead_type' | 'attempt_count'>;
  readonly buyer: Buyer;
  /** The template for this lead type; null where the buyer has none. Only e-mail needs it. */
  readonly template: Template | null;
  /** True after an earlier try whose outcome is unknown: "duplicate" then means "probably delivered". */
  readonly afterUnknown: boolean;
}

/**
 * - `delivered`
 * - `transient`: may be tried again
 * - `permanent`: the same request will never work
 * - `unknown`: it may have arrived (a timeout after sending); tried again, but told apart in the log
 */
export type Outcome = 'delivered' | 'transient' | 'permanent' | 'unknown';

/** How one try went, ready for the delivery log: secrets, tokens and links are already removed. */
export interface Report {
  readonly outcome: Outcome;
  readonly status_code: number | null;
  readonly request: string | null;
  readonly answer: string | null;
  readonly external_id: string | null;
  /** A short sentence for the admin when it was not delivered. */
  readonly error: string | null;
  /** The settings are wrong (a password, an address), so that every other lead would fail in the same way. */
  readonly misconfigured?: boolean;
  /** Seconds that the other side asked to wait. */
  readonly retryAfter?: number;
}

export interface ChannelAdapter {
  /** Never throws: every failure is a report. */
  send(payload: DeliveryPayload, signal: AbortSignal): Promise<Report>;
}
