import type * as z from 'zod/mini';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Cipher } from '#functions/keys/cipher';
import type { Guard } from '#functions/net/guard';
import type { Http } from '#functions/net/http';
import type { partnerEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import type { Judgement } from '#shared/rules/answer-rules';

/** Only `transient` and `unknown` (it may have arrived, for example a timeout after sending) are retried. */
export type Outcome = 'delivered' | 'transient' | 'permanent' | 'unknown';

export interface Bounce {
  readonly hard: boolean;
  /** The enhanced status (RFC 3463) such as `5.1.1`, else the three digits of the answer. */
  readonly code: string;
}

/** Ready to be stored: secrets, tokens and links are removed. */
export interface Report {
  readonly outcome: Outcome;
  readonly status_code: number | null;
  readonly request: string | null;
  readonly answer: string | null;
  readonly external_id: string | null;
  readonly error: string | null;
  /** The settings are wrong (a password, an address), so every other lead would fail in the same way. */
  readonly misconfigured?: boolean;
  /**
   * With `permanent`: the partner explicitly refused this lead. Absent if the settings are wrong or the reason is open.
   */
  readonly refused?: true;
  /** With `unknown`: a mail server received the whole message and did not confirm it, so a repetition is likely a copy. */
  readonly unconfirmed?: true;
  readonly bounce?: Bounce;
  /** Seconds that the buyer's server asked to wait. */
  readonly retryAfter?: number;
}

/** A call that tests settings, shown without secrets. */
export interface Trial {
  readonly report: Report;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  } | null;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  readonly judgement: Judgement | null;
}

export interface ChannelAdapter {
  /** Never throws: every failure is a report. */
  send(payload: DeliveryPayload, signal: AbortSignal): Promise<Report>;
  /** For a channel with a console: `send` with details for an admin. Never throws. */
  tryOut?(payload: DeliveryPayload, signal: AbortSignal): Promise<Trial>;
  /** Milliseconds; by default half a minute. */
  readonly longestMs?: number;
  destination?(payload: DeliveryPayload): string;
}

export interface ChannelDeps {
  readonly environment: z.output<typeof partnerEnvironment>;
  readonly guard: Guard;
  readonly http: Http;
  readonly cipher: Cipher;
  readonly runtime: Pick<Runtime, 'now'>;
}
