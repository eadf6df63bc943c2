/** What the partners that are reached by HTTP have in common. */
import type { Report } from '#functions/channels/channel';
import { redact } from '#functions/channels/redact';
import { type Http, type HttpAnswer, HttpFailure, type HttpRequest } from '#functions/net/http';

/** Milliseconds for one call. */
const CALL_TIME = 20_000;
/** Some partners refuse what looks like a robot, and a missing User-Agent does. */
export const USER_AGENT = 'Mozilla/5.0 (compatible; LeadDistribution/1.0)';
/** Seconds that a partner may make us wait. */
const LONGEST_WAIT = 3600;

export interface Call {
  readonly http: Http;
  readonly request: Omit<HttpRequest, 'timeout' | 'signal'>;
  /** What is written down of the request, before redaction. */
  readonly summary: string;
  /** In plain text; removed from everything that is written down. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** The part of a report that a partner's answer decides. */
export type Reading = Pick<Report, 'outcome' | 'external_id' | 'error' | 'misconfigured'> & {
  /** For the log, before what the partner said. */
  readonly note?: string;
};

/** A reading of a lead that was not delivered. @param error the sentence for the admin */
export function undelivered(outcome: Exclude<Report['outcome'], 'delivered'>, error: string): Reading {
  return { outcome, external_id: null, error };
}

/** The same where the settings are to blame: every other lead would fail in the same way. */
export function misconfigured(error: string): Reading {
  return { ...undelivered('permanent', error), misconfigured: true };
}

/** A report of a lead that was not even sent, because the settings do not allow it. */
export function notSent(error: string): Report {
  return { status_code: null, request: null, answer: null, ...misconfigured(error) };
}

/**
 * The buyer has this lead already. After a try whose outcome is unknown that means it arrived then; otherwise the buyer
 * had it from elsewhere.
 */
export function duplicate(afterUnknown: boolean): Reading {
  return afterUnknown
    ? { outcome: 'delivered', external_id: null, error: null, note: 'Probably delivered by an earlier try' }
    : undelivered('permanent', 'The buyer already has this lead (duplicate)');
}

/**
 * Makes a call and reports on it; never throws.
 * @param read decides on an answer; undefined leaves it to the status alone
 */
export async function reportOn(
  call: Call,
  read: (answer: HttpAnswer) => Reading | undefined,
): Promise<Report> {
  const request = redact(call.summary, call.secrets);
  try {
    const answer = await call.http({ ...call.request, timeout: CALL_TIME, signal: call.signal });
    const retryAfter = secondsToWait(answer.headers['retry-after']);
    const { note, ...reading } = read(answer) ?? readingOfStatus(answer.status);
    return {
      status_code: answer.status,
      request,
      answer: redact(note === undefined ? answer.body : `${note}: ${answer.body}`, call.secrets),
      ...(retryAfter !== undefined && { retryAfter }),
      ...reading,
    };
  } catch (error) {
    return { status_code: null, request, answer: null, ...readingOfFailure(error) };
  }
}

function readingOfStatus(status: number): Reading {
  if (status === 401 || status === 403) return misconfigured('The partner refused our credentials');
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return misconfigured('The partner does not take leads at this address');
  if (status === 408 || status === 425 || status === 429)
    return undelivered('transient', 'The partner asked us to come back later');
  if (status >= 500) return undelivered('unknown', 'The partner had an error of its own');
  if (status >= 400) return undelivered('permanent', 'The partner refused the lead');
  return undelivered('unknown', 'The partner gave an answer that cannot be understood');
}

function readingOfFailure(error: unknown): Reading {
  if (!(error instanceof HttpFailure)) return misconfigured('The call could not be made as configured');
  if (error.kind === 'refused') return misconfigured('The partner has no public address');
  return error.kind === 'not_sent'
    ? undelivered('transient', `No connection to the partner (${error.code})`)
    : undelivered('unknown', `The partner did not answer (${error.code})`);
}

function secondsToWait(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d{1,6}$/.test(header.trim())) return undefined;
  return Math.min(LONGEST_WAIT, Number(header));
}

/** The JSON of a body whatever its content type says, or undefined. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The value at a path such as `data.id` of parsed JSON, or undefined. */
export function at(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = Object.getOwnPropertyDescriptor(current, name)?.value;
  }
  return current;
}

/** The text of an id, which may come as text or number; undefined for anything else and for empty text. */
export function idText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  // The table takes no text with half a surrogate pair, which JSON may hold.
  return typeof text === 'string' && text.trim() !== '' && text.length <= 200
    ? text.trim().toWellFormed()
    : undefined;
}
