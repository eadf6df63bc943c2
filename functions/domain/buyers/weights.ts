/**
 * The rules over the weights of all buyers. The weights of several buyers change in one write, which lists them in the
 * pool, from where on they are in effect, and then their items are changed in steps, because a transaction holds a hundred
 * writes. A process that dies in between leaves nothing half done; whoever changes weights next, and the reconciliation,
 * takes the remaining steps. See `docs/adr/0002-one-table.md`.
 */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import type { Pool, UnwrittenWeights } from '#functions/data/distribution/pool-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { TransactionItem } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { requireAsSeen } from '#functions/domain/common/edited-meanwhile';
import { invalid, notFound } from '#functions/domain/common/errors';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { errorFields } from '#functions/platform/logger';
import { CONFLICT } from '#functions/platform/retry';
import { checkProbability, PROBABILITY_TOTAL_TEXT } from '#shared/rules/validation';

/** Each needs three writes, of which a transaction holds a hundred. */
const BUYERS_PER_TRANSACTION = 30;

/**
 * Checks that the active buyers' weights with this one's sum to at most 100 %.
 * @returns the weights that the others lose because the admin agreed that this one gets everything
 * @throws DomainError 400 with the text of the specification
 */
export function checkWeights(
  pool: Pick<Pool, 'entries'>,
  buyer: Pick<Buyer, 'buyer' | 'probability'>,
  exclusive: boolean,
): ReadonlyMap<number, number> {
  return checkSum(pool, new Map([[buyer.buyer, buyer.probability]]), exclusive);
}

/** Weights of buyers that count from now on, whether they are active or not; otherwise as `checkWeights`. */
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
  /** The weight when the admin began; undefined when the client does not say. */
  readonly seen: number | undefined;
}

/**
 * Changes the weights of several buyers at once, all or none. Afterwards the active buyers and those named here, active or
 * not, have at most 100 % together, so that those may get an order next.
 * @param exclusive the admin agreed that all other active buyers go to 0 % if those named here have 100 %
 * @throws DomainError 404 for an unknown or deleted buyer, 400 for one named twice or a sum above 100 %, 409 when a weight
 *   is not as it was seen; `fields` then names the buyers
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
      if (wanted.has(entry.buyer)) throw invalid('buyer_named_twice', `Buyer ${buyerId} is listed twice`);
      wanted.set(entry.buyer, weight);
    }
    requireAsSeen(
      Object.fromEntries(changes.map(({ buyerId, seen }) => [buyerId, seen])),
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

/**
 * The pool, in which every buyer's item has the weight that is in effect: for whoever reads a buyer to change its weight.
 * @throws DomainError 409 when others keep changing the same buyers
 */
export async function poolWithWrittenWeights(context: Context): Promise<Pool> {
  for (;;) {
    const pool = await poolStore.readForWeights(context);
    if (pool.unwritten === undefined) return pool;
    await writeSomeWeights(context);
  }
}

/** Takes the remaining steps. What fails is logged and left to others: the weights are in effect already. */
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
    // The entry of a buyer that was deleted meanwhile is not among them, and its weight no longer matters.
    const poolEntries = pool.entries.filter(({ buyer }) => some.has(buyer));
    const result = await context.table.transact([
      poolStore.weightsChanged(pool.weightsVersion, {
        ...unwritten,
        weights: new Map(weights.slice(BUYERS_PER_TRANSACTION)),
      }),
      ...(await writesOf(context, unwritten, poolEntries)),
    ]);
    return result.ok ? undefined : CONFLICT;
  });
}

async function writesOf(
  context: Context,
  { weights, by }: UnwrittenWeights,
  poolEntries: readonly PoolEntry[],
): Promise<TransactionItem[]> {
  const buyers = await buyerStore.getMany(
    context,
    poolEntries.map(({ buyer }) => buyer),
  );
  return poolEntries.flatMap((poolEntry, at) => {
    const buyer = buyers[at];
    const probability = weights.get(poolEntry.buyer);
    if (buyer === undefined || probability === undefined) return [];
    return [
      buyerStore.changed(buyer, { probability }),
      poolStore.entryChanged(poolEntry, { ...poolEntry, probability }),
      auditEntry(context, {
        who: by,
        action: 'updated',
        entity: 'buyer',
        entityId: buyer.buyer,
        label: buyer.buyer_id,
        before: { probability: buyer.probability },
        after: { probability },
      }),
    ];
  });
}
