/** The interface of the channel adapters: each sends one lead to a buyer and reports the outcome. */

import type * as z from 'zod/mini';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Cipher } from '#functions/keys/cipher';
import type { Guard } from '#functions/net/guard';
import type { Http } from '#functions/net/http';
import type { partnerEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import type { Judgement } from '#shared/rules/answer-rules';

/**
 * - `delivered`: the buyer's server accepted the lead
 * - `transient`: not delivered, and retried
 * - `permanent`: not delivered, and not retried, because the same request would fail again
 * - `unknown`: it may have arrived (for example a timeout after sending); retried
 */
export type Outcome = 'delivered' | 'transient' | 'permanent' | 'unknown';

/** Why a mail server did not take a mail for an address. */
export interface Bounce {
  /** Whether there is no such mailbox; otherwise it may work later. */
  readonly hard: boolean;
  /** The enhanced status (RFC 3463) such as `5.1.1`, else the three digits of the answer. */
  readonly code: string;
}

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
  /**
   * With `permanent`: the partner answered with an explicit no to this lead (invalid, unwanted, a duplicate). Not set where the
   * settings are wrong or the answer leaves open what the no is about.
   */
  readonly refused?: true;
  /** With `unknown`: a mail server took the whole message and did not confirm it, so that a repetition is likely a copy. */
  readonly unconfirmed?: true;
  /** What the answer says about the address that the mail was for. */
  readonly bounce?: Bounce;
  /** Seconds that the buyer's server asked to wait before the next call. */
  readonly retryAfter?: number;
}

/** A call that was made to try settings out, as an admin may see it: without secrets. */
export interface Trial {
  readonly report: Report;
  /** Null where nothing was sent. */
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  } | null;
  /** Null without an answer; of the headers those that say how to go on. */
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  /** What the rules made of the answer; null without one. */
  readonly judgement: Judgement | null;
}

export interface ChannelAdapter {
  /** Never throws: every failure is a report. */
  send(payload: DeliveryPayload, signal: AbortSignal): Promise<Report>;
  /** Of a channel with a console: `send`, with all that an admin needs to see why. Never throws. */
  tryOut?(payload: DeliveryPayload, signal: AbortSignal): Promise<Trial>;
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
  readonly runtime: Pick<Runtime, 'now'>;
}
