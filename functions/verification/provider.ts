/** What the providers of verdicts have in common. */
import type { Person } from '#functions/data/leads/lead';
import type { Http, HttpAnswer } from '#functions/net/http';
import type { Finding } from '#functions/verification/verification';

export interface Provider {
  readonly name: string;
  /** What the verdict depends on, in one spelling; undefined when there is nothing to ask about. */
  subject(person: Person): string | undefined | Promise<string | undefined>;
  /** @throws Error when there was no verdict: no answer, no credit, an answer that cannot be understood */
  ask(person: Person, signal: AbortSignal): Promise<Finding>;
}

/** Milliseconds; the check as a whole has three seconds. */
const PROVIDER_TIME = 2_800;

/** A call that gave no verdict. Its message is a short code for the lead's note. */
export class NoVerdict extends Error {
  override readonly name = 'NoVerdict';
}

/** @returns the parsed JSON @throws NoVerdict for any status but 200 and for anything that is not JSON */
export async function askJson(http: Http, request: Omit<Parameters<Http>[0], 'timeout'>): Promise<unknown> {
  const answer: HttpAnswer = await http({ ...request, timeout: PROVIDER_TIME });
  if (answer.status !== 200) throw new NoVerdict(`status ${answer.status}`);
  try {
    return JSON.parse(answer.body);
  } catch {
    throw new NoVerdict('unreadable answer');
  }
}
