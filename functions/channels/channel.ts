/** The interface of the channel adapters: each sends one lead to a buyer and reports the outcome. */

import type * as z from 'zod/mini';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { partnerEnvironment } from '#functions/environment';
import type { Cipher } from '#functions/keys/cipher';
import type { Guard } from '#functions/net/guard';
import type { Http } from '#functions/net/http';

/**
 * - `delivered`: the buyer's server accepted the lead
 * - `transient`: not delivered, and retried
 * - `permanent`: not delivered, and not retried, because the same request would fail again
 * - `unknown`: it may have arrived (for example a timeout after sending); retried
 */
export type Outcome = 'delivered' | 'transient' | 'permanent' | 'unknown';

/** The result of one delivery attempt, ready to be stored: secrets, tokens and links are already removed. */
export interface Report {
  readonly outcome: Outcome;
  readonly status_code: number | null;
  readonly request: string | null;
  readonly answer: string | null;
  readonly external_id: string | null;
  /** A short sentence for the admin; null when the lead was delivered. */
  readonly error: string | null;
  /** The settings are wrong (a password, an address), so every other lead would fail in the same way. */
  readonly misconfigured?: boolean;
  /** With `unknown`: a mail server took the whole message and did not confirm it, so that a repetition is likely a copy. */
  readonly unconfirmed?: true;
  /** Seconds that the buyer's server asked to wait before the next call. */
  readonly retryAfter?: number;
}

export interface ChannelAdapter {
  /** Never throws: every failure is a report. */
  send(payload: DeliveryPayload, signal: AbortSignal): Promise<Report>;
  /** The longest that `send` may take, in milliseconds; absent where half a minute is enough. */
  readonly longestMs?: number;
  /** The server that is called, by which the concurrency limiter counts; absent where all buyers share one server. */
  destination?(payload: DeliveryPayload): string;
}

/** What the adapters need. */
export interface ChannelDeps {
  readonly environment: z.output<typeof partnerEnvironment>;
  readonly guard: Guard;
  readonly http: Http;
  readonly cipher: Cipher;
}
