/**
 * The rules over the weights of all buyers. Giving one buyer 100 % sets all others to 0 %: one write lists them in the
 * pool, from where on they have no weight, and then their items are changed in steps, because a transaction holds a
 * hundred writes. A process that dies in between leaves nothing half done; whoever changes weights next, and the
 * reconciliation, takes the remaining steps.
 */
import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { Pool, PoolStore, Zeroing } from '#functions/data/distribution/pool-store';
import type { Table, TransactionItem } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { invalid } from '#functions/domain/common/errors';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { errorFields } from '#functions/logger';
import { CONFLICT } from '#functions/retry';
import type { Runtime } from '#functions/runtime';
import { checkProbability, PROBABILITY_TOTAL_TEXT } from '#shared/rules/validation';

export interface WeightDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly buyers: Pick<BuyerStore, 'getMany' | 'changed'>;
  readonly pool: Pick<PoolStore, 'read' | 'readForWeights' | 'entryChanged' | 'weightsChanged'>;
  readonly runtime: Runtime;
}

/** Each needs three writes, of which a transaction holds a hundred. */
const BUYERS_PER_TRANSACTION = 30;

/**
 * Checks that the active buyers' weights with this one's sum to at most 100 %.
 * @returns the buyers to be set to 0 % because the admin agreed that this one gets everything
 * @throws DomainError 400 with the text of the specification
 */
export function checkWeights(
  pool: Pick<Pool, 'entries'>,
  buyer: Pick<Buyer, 'buyer' | 'probability'>,
  exclusive: boolean,
): number[] {
  const others = pool.entries.filter(
    (poolEntry) =>
      poolEntry.buyer !== buyer.buyer &&
      poolEntry.active &&
      poolEntry.order_id !== null &&
      poolEntry.probability > 0,
  );
  const result = checkProbability(
    buyer.probability,
    others.map(({ probability }) => probability),
  );
  if (result === 'fits') return [];
  if (result === 'exclusive' && exclusive) return others.map((poolEntry) => poolEntry.buyer);
  throw invalid('probability_exceeded', PROBABILITY_TOTAL_TEXT, { probability: PROBABILITY_TOTAL_TEXT });
}

/**
 * The pool, in which every buyer's item has the weight that is in effect: for whoever reads a buyer to change its weight.
 * @throws DomainError 409 when others keep changing the same buyers
 */
export async function poolWithZeros(deps: WeightDeps): Promise<Pool> {
  for (;;) {
    const pool = await deps.pool.readForWeights();
    if (pool.zeroing === undefined) return pool;
    await writeSomeZeros(deps);
  }
}

/** Takes the remaining steps. What fails is logged and left to others: the weights are in effect already. */
export async function writeZeros(deps: WeightDeps): Promise<void> {
  try {
    await poolWithZeros(deps);
  } catch (error) {
    deps.runtime.log.warn('zeros_not_written', errorFields(error));
  }
}

function writeSomeZeros(deps: WeightDeps): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const pool = await deps.pool.read();
    const { zeroing } = pool;
    if (zeroing === undefined) return undefined;
    const some = new Set(zeroing.buyers.slice(0, BUYERS_PER_TRANSACTION));
    // The entry of a buyer that was deleted meanwhile is not among them, and its weight no longer matters.
    const poolEntries = pool.entries.filter(({ buyer }) => some.has(buyer));
    const result = await deps.table.transact([
      deps.pool.weightsChanged(pool.weightsVersion, {
        ...zeroing,
        buyers: zeroing.buyers.slice(BUYERS_PER_TRANSACTION),
      }),
      ...(await zerosOf(deps, zeroing, poolEntries)),
    ]);
    return result.ok ? undefined : CONFLICT;
  });
}

async function zerosOf(
  deps: WeightDeps,
  zeroing: Zeroing,
  poolEntries: readonly PoolEntry[],
): Promise<TransactionItem[]> {
  const buyers = await deps.buyers.getMany(poolEntries.map(({ buyer }) => buyer));
  return poolEntries.flatMap((poolEntry, at) => {
    const buyer = buyers[at];
    if (buyer === undefined) return [];
    return [
      deps.buyers.changed(buyer, { probability: 0 }),
      deps.pool.entryChanged(poolEntry, { ...poolEntry, probability: 0 }),
      auditEntry(deps, {
        who: zeroing.by,
        action: 'updated',
        entity: 'buyer',
        entityId: buyer.buyer,
        label: buyer.buyer_id,
        before: { probability: buyer.probability },
        after: { probability: 0 },
      }),
    ];
  });
}
