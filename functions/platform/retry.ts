import type { Runtime } from '#functions/platform/runtime';

/** The condition of an attempt failed because another write was faster. */
export const CONFLICT = Symbol('conflict');

/** Exponential back-off with full jitter. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/**
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ @param attempt must read everything again
 */
export async function retry<T>(
  policy: RetryPolicy,
  { random, sleep }: Pick<Runtime, 'random' | 'sleep'>,
  attempt: () => Promise<T | typeof CONFLICT>,
): Promise<T | typeof CONFLICT> {
  let maxWaitMs = policy.firstWaitMs;
  for (let remaining = policy.attempts; remaining > 0; remaining -= 1) {
    const answer = await attempt();
    if (answer !== CONFLICT) return answer;
    if (remaining > 1) await sleep(random() * maxWaitMs);
    maxWaitMs = Math.min(policy.longestWaitMs, 2 * maxWaitMs);
  }
  return CONFLICT;
}
