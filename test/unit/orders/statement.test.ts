/** A buyer's statement: its lines by order and month, and its owed replacements. */

import { describe, expect, it } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { everyShard, nameOf, sumsPut } from '#functions/data/statistics/sums';
import { ingest } from '#functions/domain/distribution/distribution';
import { deleteLead } from '#functions/domain/leads/leads';
import { createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { statementOf } from '#functions/domain/orders/statement';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { count } from '#functions/domain/statistics/statistics';
import { aPerson } from '#test/factories/people';
import { claimLead } from '#test/harness/claims';
import {
  addBuyers,
  adminOn,
  distributionOn,
  itemsOf,
  leadsAmong,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const PRICE_CENTS = 4567;
/** Seconds before midnight in Berlin. */
const JUNE = '2026-06-30T21:59:50.000Z';
const JULY = '2026-06-30T22:00:00.000Z';
const NOTHING = { originals: 0, replacements: 0, claims: 0, approved: 0, rejected: 0 };

interface Terms {
  readonly price?: number | null;
  readonly type?: 'prepay' | 'postpay';
}

/** A buyer with an order of three leads. */
async function world({ price = PRICE_CENTS, type = 'prepay' }: Terms = {}) {
  const table = memoryTable();
  let now = Date.parse(JUNE);
  // The ledger is sorted by millisecond.
  const runtime = { ...quietRuntime, now: () => new Date(now++) };
  await addBuyers(table, [{ id: 'a', probability: 50 }]);
  const deps = { ...distributionOn(table, { runtime }), ...adminOn(table, runtime) };
  const buyer = async () => (await buyerStore.byId(deps, 'a'))!;
  await table.transact([buyerStore.changed(await buyer(), { buyer_type: type, price_per_lead: price })]);
  await createOrder(deps, 'anna', { buyerId: 'a', leadLimit: 3, balance: 0 });
  return {
    table,
    deps,
    moveTo: (instant: string) => {
      now = Date.parse(instant);
    },
    lead: async () => (await ingest(deps, aPerson(), 'a')).lead_id,
    claim: (leadId: string, status: 'approved' | 'rejected') => claimLead(deps, leadId, { status }),
    settle: async () =>
      count(
        deps,
        leadsAmong(await itemsOf(table)).map(({ lead_id }) => lead_id),
      ),
    statement: async () => statementOf(deps, await buyer()),
  };
}

describe('the statement of a buyer', () => {
  it('has a line for each month, with totals before the months are counted', async () => {
    const at = await world();
    const [first, second] = [await at.lead(), await at.lead()];
    at.moveTo(JULY);
    const third = await at.lead();
    await at.claim(first, 'approved');
    const owed = await at.claim(second, 'approved');
    await at.claim(third, 'rejected');
    await at.lead();
    const total = {
      originals: 3,
      replacements: 1,
      claims: 3,
      approved: 2,
      rejected: 1,
      sum: 3 * PRICE_CENTS,
    };
    const before = await at.statement();
    expect(before.orders).toMatchObject([{ lines: [{ month: null, ...total }], total, owed: 1 }]);
    await at.settle();
    const counted = await at.statement();
    expect(counted).toMatchObject({ sum: 3 * PRICE_CENTS, balance: 0, orders: [{ total, owed: 1 }] });
    expect(counted.orders[0]?.lines).toEqual([
      { ...NOTHING, month: '2026-06', originals: 2, sum: 2 * PRICE_CENTS },
      { ...total, month: '2026-07', originals: 1, sum: PRICE_CENTS },
    ]);
    expect(counted.owed).toEqual([{ position: 1, claimId: owed.claim_id, since: owed.processed_at }]);

    // A deleted lead is not billed, and the owed replacements of a deleted order are in the balance.
    await deleteLead(at.deps, 'anna', first);
    await deleteOrder(at.deps, 'anna', 'a', 1);
    await at.settle();
    const after = await at.statement();
    expect(after).toMatchObject({ sum: 2 * PRICE_CENTS, balance: 1, owed: counted.owed });
    expect(after.orders[0]).toMatchObject({ owed: 0, lines: [{ month: '2026-06', originals: 1 }, {}] });
    expect(await rebuildStatistics(at.deps, false)).toMatchObject({ leadsCorrected: 0, differences: [] });
  });

  it('has no amount for an order without a price', async () => {
    const at = await world({ price: null, type: 'postpay' });
    await at.lead();
    await at.settle();
    const { sum, orders } = await at.statement();
    expect(sum).toBe(0);
    expect(orders).toMatchObject([{ lines: [{ originals: 1, sum: null }], total: { sum: null } }]);
  });

  it('reports leads that are not counted in a month yet, and is corrected by a rebuild', async () => {
    const at = await world();
    for (let lead = 0; lead < 3; lead += 1) await at.lead();
    expect((await rebuildStatistics(at.deps, true)).leadsCorrected).toBe(3);
    const lines = async () => (await at.statement()).orders[0]?.lines;
    expect(await lines()).toMatchObject([{ month: '2026-06', originals: 3, sum: 13_701 }]);
    // A figure without any leads is found and removed.
    const [shard] = (await everyShard(at)).get(nameOf.accountMonth(1, '2026-06')) ?? [];
    await at.table.put(sumsPut({ ...shard!, value: new Map([['originals:1', 5]]) }));
    expect(await lines()).toMatchObject([
      { month: '2026-06', originals: 5 },
      { month: null, originals: -2, sum: -9134 },
    ]);
    const repaired = await rebuildStatistics(at.deps, true);
    expect(repaired.differences).toEqual([{ of: '1#2026-06 originals:1', stored: 5, actual: 3 }]);
    expect(await lines()).toHaveLength(1);
  });
});
