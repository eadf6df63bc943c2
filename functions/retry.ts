import type { Runtime } from '#functions/runtime';

/** What an attempt answers when another write was faster and it should be made again on what stands now. */
export const CONFLICT = Symbol('conflict');

/** How often, and how long between: full jitter below a wait that doubles from the first to the longest. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/**
 * Makes an attempt until it is no conflict.
 * @param attempt reads what it depends on anew each time
 * @returns its answer, or `CONFLICT` when every attempt was one
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export async function retry<T>(
  policy: RetryPolicy,
  { random, sleep }: Pick<Runtime, 'random' | 'sleep'>,
  attempt: () => Promise<T | typeof CONFLICT>,
): Promise<T | typeof CONFLICT> {
  let longest = policy.firstWaitMs;
  for (let left = policy.attempts; left > 0; left -= 1) {
    const answer = await attempt();
    if (answer !== CONFLICT) return answer;
    if (left > 1) await sleep(random() * longest);
    longest = Math.min(policy.longestWaitMs, 2 * longest);
  }
  return CONFLICT;
}
