import type { Report } from '#functions/channels/channel';
import { redact } from '#functions/channels/redact';
import { type Http, type HttpAnswer, HttpFailure, type HttpRequest } from '#functions/net/http';

const CALL_TIMEOUT_MS = 20_000;
/** Some partners refuse calls without a User-Agent, or with that of a script. */
export const USER_AGENT = 'Mozilla/5.0 (compatible; LeadDistribution/1.0)';
const MAX_RETRY_AFTER_SECONDS = 3600;

export interface Call {
  readonly http: Http;
  readonly request: Omit<HttpRequest, 'timeout' | 'signal'>;
  readonly summary: string;
  /** In plain text; removed from everything that is stored. */
  readonly secrets: readonly string[];
  /** Sent and not secret: stored unchanged, even if it contains a secret by chance. */
  readonly open: readonly string[];
  readonly signal: AbortSignal;
  readonly receiver?: string;
}

export type Reading = Pick<Report, 'outcome' | 'external_id' | 'error' | 'misconfigured' | 'refused'> & {
  readonly note?: string;
};

export function undelivered(outcome: Exclude<Report['outcome'], 'delivered'>, error: string): Reading {
  return { outcome, external_id: null, error };
}

export function refused(error: string): Reading {
  return { ...undelivered('permanent', error), refused: true };
}

/** A refusal of our access, not of the lead: every other lead would get it as well. */
const ABOUT_OUR_ACCESS =
  /\b(?:api|access)[ _-]?(?:key|token)\b|\btoken\b|unauthori[sz]ed|forbidden|credential|permission|\blog-?in\b|\bauth(?:entication|ori[sz]\w*)?\b|password|whitelist|allow-?list|\bip\b|campaign|lead_?type/i;

/** The partner may already have the lead. Broader than the patterns of the formats, because a doubt is sufficient here. */
const MAY_HAVE_IT =
  /already|duplicat|exist|\b(?:known|taken|registered|resubmi\w*|repeat\w*)\b|bereits|schon|doppel|dublette|duplikat|vorhanden|bekannt/i;

/**
 * Reads a rejection. It is not a refusal of the lead if it is about our access, or if the lead may have arrived by an
 * earlier attempt: then the buyer keeps it. @param afterUnknown an earlier attempt ended with the outcome `unknown`
 */
export function rejection(
  answer: { readonly status: number; readonly text: string },
  error: string,
  afterUnknown: boolean,
): Reading {
  if (ABOUT_OUR_ACCESS.test(answer.text)) return undelivered('permanent', error);
  if (afterUnknown && (answer.status === 409 || MAY_HAVE_IT.test(answer.text)))
    return undelivered('permanent', `${error}, perhaps because an earlier attempt arrived`);
  return refused(error);
}

export function misconfigured(error: string): Reading {
  return { ...undelivered('permanent', error), misconfigured: true };
}

export const CREDENTIALS_REFUSED = misconfigured('The partner refused our credentials');
export const RETRY_LATER = undelivered('transient', 'The partner asked to retry later');
export const LEAD_REFUSED = 'The partner refused the lead';

export function notSent(error: string): Report {
  return { status_code: null, request: null, answer: null, ...misconfigured(error) };
}

/** After an unknown outcome, the lead has arrived by that attempt. Otherwise the partner had it from another source. */
export function duplicate(afterUnknown: boolean): Reading {
  return afterUnknown
    ? { outcome: 'delivered', external_id: null, error: null, note: 'Probably delivered by an earlier try' }
    : refused('The buyer already has this lead (duplicate)');
}

/** Never throws. @param read if it returns undefined, the HTTP status decides */
export async function reportOn(call: Call, read: (answer: HttpAnswer) => Reading | undefined) {
  const request = redact(call.summary, call.secrets, call.open);
  try {
    const answer = await call.http({ ...call.request, timeout: CALL_TIMEOUT_MS, signal: call.signal });
    const retryAfter = secondsToWait(answer.headers);
    const { note, ...reading } = read(answer) ?? readingOfStatus(answer.status);
    return {
      status_code: answer.status,
      request,
      answer: redact(note === undefined ? answer.body : `${note}: ${answer.body}`, call.secrets, call.open),
      ...(retryAfter !== undefined && { retryAfter }),
      ...reading,
    } satisfies Report;
  } catch (error) {
    const reading = readingOfFailure(error, call.receiver ?? 'partner');
    return { status_code: null, request, answer: null, ...reading } satisfies Report;
  }
}

function readingOfStatus(status: number): Reading {
  if (status === 401 || status === 403) return CREDENTIALS_REFUSED;
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return misconfigured('The partner does not accept leads at this address');
  if (status === 408 || status === 425 || status === 429) return RETRY_LATER;
  if (status >= 500) return undelivered('unknown', 'The partner had an internal error');
  if (status >= 400) return undelivered('permanent', LEAD_REFUSED);
  return undelivered('unknown', 'The partner’s answer could not be read');
}

function readingOfFailure(error: unknown, receiver: string): Reading {
  if (!(error instanceof HttpFailure)) return misconfigured('The call could not be made as configured');
  if (error.kind === 'refused') return misconfigured(`The ${receiver} has no public address`);
  return error.kind === 'not_sent'
    ? undelivered('transient', `No connection to the ${receiver} (${error.code})`)
    : undelivered('unknown', `The ${receiver} did not answer (${error.code})`);
}

/** Each form of an HTTP date begins with a weekday; `Date.parse` would guess at any text. */
const HTTP_DATE = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? /i;

/**
 * A date is compared with the answer's own `Date`, so that a partner's wrong clock does not matter (RFC 9110, 10.2.3).
 */
function secondsToWait(headers: HttpAnswer['headers']): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(MAX_RETRY_AFTER_SECONDS, Number(value));
  const until = httpDate(value);
  if (Number.isNaN(until)) return undefined;
  const seconds = Math.ceil((until - (httpDate(headers.date ?? '') || Date.now())) / 1000);
  return Math.max(0, Math.min(MAX_RETRY_AFTER_SECONDS, seconds));
}

/** Milliseconds or NaN. All forms are in GMT; the oldest does not say so. */
function httpDate(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(/ GMT$/i.test(text) ? text : `${text} GMT`);
}

export function at(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = Object.getOwnPropertyDescriptor(current, name)?.value;
  }
  return current;
}

export function idText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '' || text.length > 200) return undefined;
  // JSON may contain an unpaired surrogate, which the table refuses.
  return text.trim().toWellFormed();
}
