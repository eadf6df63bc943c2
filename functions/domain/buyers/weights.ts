/**
 * The rules over the weights of all buyers. One write lists the new weights of several buyers in the pool, which puts them into effect;
 * then the buyers are updated in steps, because a transaction holds a hundred writes. After a crash the next change of weights, or the
 * reconciliation, takes the remaining steps. See `docs/adr/0002-one-table.md`.
 */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import type { Pool, UnwrittenWeights } from '#functions/data/distribution/pool-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { TransactionItem } from '#functions/data/table/table';
import { aboutBuyer, auditEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { invalid, listedTwice, notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { errorFields } from '#functions/platform/logger';
import { CONFLICT } from '#functions/platform/retry';
import { checkProbability, PROBABILITY_TOTAL_TEXT } from '#shared/rules/validation';

/** Each needs three of a transaction's hundred writes. */
const BUYERS_PER_TRANSACTION = 30;

/**
 * @param exclusive whether a buyer with 100 % sets the weights of all others to 0
 * @returns the changed weights of other buyers @throws DomainError 400 above 100 %
 */
export function checkWeights(
  pool: Pick<Pool, 'entries'>,
  buyer: Pick<Buyer, 'buyer' | 'probability'>,
  exclusive: boolean,
): ReadonlyMap<number, number> {
  return checkSum(pool, new Map([[buyer.buyer, buyer.probability]]), exclusive);
}

function checkSum(
  pool: Pick<Pool, 'entries'>,
  wanted: ReadonlyMap<number, number>,
  exclusive: boolean,
): ReadonlyMap<number, number> {
  const others = pool.entries.filter(
    (poolEntry) =>
      !wanted.has(poolEntry.buyer) &&
      poolEntry.active &&
      poolEntry.order_id !== null &&
      poolEntry.probability > 0,
  );
  const result = checkProbability(
    [...wanted.values()].reduce((sum, weight) => sum + weight, 0),
    others.map(({ probability }) => probability),
  );
  if (result === 'fits') return new Map();
  if (result === 'exclusive' && exclusive) return new Map(others.map(({ buyer }) => [buyer, 0]));
  throw invalid('probability_exceeded', PROBABILITY_TOTAL_TEXT, { probability: PROBABILITY_TOTAL_TEXT });
}

export interface WeightChange {
  readonly buyerId: string;
  /** Hundredths of a percent. */
  readonly weight: number;
  readonly expected: number | undefined;
}

/**
 * The active buyers and all buyers given here may have at most 100 % together, so that each of these can get an order.
 * @throws DomainError 404, 400 for a buyer named twice or a sum above 100 %, 409 if a weight has changed since it was read
 */
export async function changeWeights(
  context: Context,
  who: string,
  changes: readonly WeightChange[],
  exclusive: boolean,
): Promise<void> {
  return retryOnConflict(context.runtime, async () => {
    const pool = await poolWithWrittenWeights(context);
    const entries = new Map(pool.entries.map((entry) => [entry.buyer_id, entry]));
    const wanted = new Map<number, number>();
    for (const { buyerId, weight } of changes) {
      const entry = entries.get(buyerId);
      if (entry === undefined) throw notFound('Buyer');
      if (wanted.has(entry.buyer)) throw listedTwice(buyerId);
      wanted.set(entry.buyer, weight);
    }
    requireUnchanged(
      Object.fromEntries(changes.map(({ buyerId, expected }) => [buyerId, expected])),
      Object.fromEntries(changes.map(({ buyerId }) => [buyerId, entries.get(buyerId)?.probability])),
    );
    const all = new Map([...wanted, ...checkSum(pool, wanted, exclusive)]);
    for (const { buyer, probability } of pool.entries) if (all.get(buyer) === probability) all.delete(buyer);
    if (all.size === 0) return undefined;
    const result = await context.table.transact([
      poolStore.weightsChanged(pool.weightsVersion, { weights: all, by: who }),
    ]);
    if (!result.ok) return CONFLICT;
    await writeWeights(context);
    return undefined;
  });
}

/** The pool once all buyers have their weights in effect. @throws DomainError 409 after repeated conflicts */
export async function poolWithWrittenWeights(context: Context): Promise<Pool> {
  for (;;) {
    const pool = await poolStore.readForWeights(context);
    if (pool.unwritten === undefined) return pool;
    await writeSomeWeights(context);
  }
}

/** Takes the remaining steps. Failures are only logged: the weights are in effect already. */
export async function writeWeights(context: Context): Promise<void> {
  try {
    await poolWithWrittenWeights(context);
  } catch (error) {
    context.runtime.log.warn('weights_not_written', errorFields(error));
  }
}

function writeSomeWeights(context: Context): Promise<void> {
  return retryOnConflict(context.runtime, async () => {
    const pool = await poolStore.read(context);
    const { unwritten } = pool;
    if (unwritten === undefined) return undefined;
    const weights = [...unwritten.weights];
    const some = new Map(weights.slice(0, BUYERS_PER_TRANSACTION));
    const left = new Map(weights.slice(BUYERS_PER_TRANSACTION));
    // A buyer that was deleted meanwhile has no entry, and its weight does not matter.
    const poolEntries = pool.entries.filter(({ buyer }) => some.has(buyer));
    return committed(context, undefined, [
      poolStore.weightsChanged(pool.weightsVersion, { ...unwritten, weights: left }),
      ...(await writesOf(context, unwritten, poolEntries)),
    ]);
  });
}

async function writesOf(
  context: Context,
  { weights, by }: UnwrittenWeights,
  poolEntries: readonly PoolEntry[],
): Promise<TransactionItem[]> {
  const buyers = await buyerStore.ofEach(context, poolEntries);
  return poolEntries.flatMap((poolEntry) => {
    const buyer = buyers.get(poolEntry.buyer);
    const probability = weights.get(poolEntry.buyer);
    if (buyer === undefined || probability === undefined) return [];
    const [before, after] = [{ probability: buyer.probability }, { probability }];
    return [
      buyerStore.changed(buyer, after),
      poolStore.entryChanged(poolEntry, { ...poolEntry, probability }),
      auditEntry(context, { who: by, action: 'updated', ...aboutBuyer(buyer), before, after }),
    ];
  });
}
