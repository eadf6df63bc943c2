/** What every channel is: something that takes a lead to a buyer and says how that went. */

import type * as z from 'zod/mini';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { partnerEnvironment } from '#functions/environment';
import type { Cipher } from '#functions/keys/cipher';
import type { Guard } from '#functions/net/guard';
import type { Http } from '#functions/net/http';

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
  /** The server that a lead goes to, whose calls are limited together; left out where all buyers share one. */
  destination?(payload: DeliveryPayload): string;
}

/** What the adapters are built from. */
export interface ChannelDeps {
  readonly environment: z.output<typeof partnerEnvironment>;
  readonly guard: Guard;
  readonly http: Http;
  readonly cipher: Cipher;
}
