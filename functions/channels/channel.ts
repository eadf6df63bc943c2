/** What every channel is: something that takes a lead to a buyer and says how that went. */

import type { DeliveryPayload } from '#functions/data/deliveries/payloads';

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
