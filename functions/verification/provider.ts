import type { Person } from '#functions/data/leads/lead';
import type { Http, HttpAnswer } from '#functions/net/http';
import type { CheckResult } from '#functions/verification/verification';
import type { CHECKERS } from '#shared/rules/constants';

export interface Provider {
  readonly name: Exclude<(typeof CHECKERS)[number], 'offline'>;
  /** The normalised data that the result depends on, by which it is cached; undefined: not cached. */
  subject(person: Person): string | undefined | Promise<string | undefined>;
  /** @throws Error without a result: no answer, no credit, an unreadable answer */
  ask(person: Person, signal: AbortSignal): Promise<CheckResult>;
}

/** Less than the three seconds of the whole check. */
const PROVIDER_TIMEOUT_MS = 2_800;

/** The message is a short code for the lead's verification notes. */
export class NoResult extends Error {
  override readonly name = 'NoResult';
}

/** @throws NoResult for any status but 200 and for invalid JSON; HttpFailure without an answer */
export async function askJson(http: Http, request: Omit<Parameters<Http>[0], 'timeout'>): Promise<unknown> {
  const answer: HttpAnswer = await http({ ...request, timeout: PROVIDER_TIMEOUT_MS });
  if (answer.status !== 200) throw new NoResult(`status ${answer.status}`);
  try {
    return JSON.parse(answer.body);
  } catch {
    throw new NoResult('unreadable answer');
  }
}
