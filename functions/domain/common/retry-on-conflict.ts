import type { DataContext } from '#functions/data/context';
import type { TransactionItem } from '#functions/data/table/table';
import { conflict } from '#functions/domain/common/errors';
import { CONFLICT, type RetryPolicy, retry } from '#functions/platform/retry';
import type { Runtime } from '#functions/platform/runtime';

/** Admins decide claims in batches that all change the same counters: a burst of twenty gets through. */
const POLICY: RetryPolicy = { attempts: 20, firstWaitMs: 40, longestWaitMs: 500 };

/**
 * Runs a use case that reads, decides, and writes if nothing has changed.
 * @param attempt returns `CONFLICT` if the condition failed, and is then run again from its first read
 * @throws DomainError 409 `changed_meanwhile` after repeated conflicts
 */
export async function retryOnConflict<T>(
  runtime: Pick<Runtime, 'random' | 'sleep'>,
  attempt: () => Promise<T | typeof CONFLICT>,
): Promise<T> {
  const answer = await retry(POLICY, runtime, attempt);
  if (answer === CONFLICT) throw changedMeanwhile();
  return answer;
}

/** The last step of an attempt. @returns `answer`, or `CONFLICT` if a condition failed */
export async function committed<T>(
  { table }: DataContext,
  answer: T,
  writes: readonly TransactionItem[],
): Promise<T | typeof CONFLICT> {
  const { ok } = await table.transact(writes);
  return ok ? answer : CONFLICT;
}

export const changedMeanwhile = () =>
  conflict('changed_meanwhile', 'Another admin changed this at the same time. Try again.');
