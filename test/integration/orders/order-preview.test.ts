/** An order receives as many leads of the backlog as its preview shows. */

import { describe, expect } from 'vitest';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { NO_CAPS } from '#functions/data/orders/pace';
import { indexed, keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { redistribute } from '#functions/domain/distribution/backlog';
import { ingest } from '#functions/domain/distribution/distribution';
import { MAX_EXAMINED_LEADS, previewOrder } from '#functions/domain/distribution/order-preview';
import { createOrder } from '#functions/domain/orders/orders';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, changedTable, itemsOf, leadsAmong } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';
import { seeded } from '#test/harness/random';

const preview = (table: Table, leadLimit: number, balance = 0, caps = NO_CAPS) => {
  const admin = adminOn(table);
  const orderCache = createOrderCache(table, admin.runtime.now);
  return previewOrder({ ...admin, orderCache }, { buyerId: 'next', leadLimit, balance, caps });
};

/** Creates the order and redistributes the backlog; returns what the order received. */
async function created(table: Table, deps: DistributionContext, leadLimit: number) {
  const order = await createOrder(adminOn(table), 'test', { buyerId: 'next', leadLimit, balance: 0 });
  await redistribute(deps, new Date(Date.now() + 600_000));
  const leads = leadsAmong(await itemsOf(table));
  const buyer = order.buyer;
  return {
    originals: leads.filter(({ order_id }) => order_id === order.order_id).length,
    replacements: 0,
    reviews: leads.filter(({ status, intended_buyer }) => status === 'pending' && intended_buyer === buyer)
      .length,
    more: false,
  };
}

async function addBacklog(deps: DistributionContext, amounts: readonly number[]): Promise<void> {
  for (const euro of amounts) await ingest(deps, aPerson({ anlagebetrag: euro * 100 }), undefined);
}

describe('the preview of an order', () => {
  it('counts replacements first, like the order', async ({ table, deps }) => {
    await addBuyers(table, [{ id: 'next', probability: 50 }]);
    await addBacklog(deps, [20_000, 20_000, 20_000]);
    expect(await preview(table, 1, 1)).toEqual({ originals: 1, replacements: 1, reviews: 0, more: false });
    expect(await preview(table, 9, 5)).toEqual({ originals: 0, replacements: 3, reviews: 0, more: false });
  });

  it('is limited by the cap of the order, and covers all pages', async ({ table, deps }) => {
    await addBuyers(table, [{ id: 'next', probability: 50 }]);
    await addBacklog(deps, [20_000, 20_000, 20_000]);
    const query: Table['query'] = (asked) =>
      table.query({ ...asked, ...(asked.limit === 100 && { limit: 1 }) });
    const paged = changedTable(table, { query });
    expect(await preview(paged, 5)).toMatchObject({ originals: 3, more: false });
    expect(await preview(paged, 5, 0, { ...NO_CAPS, daily_cap: 2 })).toMatchObject({ originals: 2 });
  });

  it('gives nothing to full or deleted orders that are still in the pool', async ({ table, deps }) => {
    const other = { probability: 40, limit: 9, minimum: 30_000 };
    await addBuyers(table, [
      { ...other, id: 'full' },
      { ...other, id: 'gone' },
      { id: 'next', probability: 1 },
    ]);
    await addBacklog(deps, [20_000, 20_000]);
    for (const id of ['full', 'gone']) await updateBuyer(adminOn(table), 'test', id, { min_investment: 0 });
    expect(await preview(table, 9)).toMatchObject({ originals: 0 });
    await table.update({ key: keys.order(1), update: 'SET leads_received = lead_limit' });
    await table.delete({ delete: keys.order(2) });
    expect(await preview(table, 9)).toMatchObject({ originals: 2 });
  });

  it('excludes leads that an order cannot resolve', async ({ table, deps }) => {
    await addBuyers(table, [{ id: 'next', probability: 50 }]);
    const invalid = async () => ({ status: 'invalid', note: null }) as const;
    const checks = { ...deps.checks, email: invalid };
    await ingest({ ...deps, checks }, aPerson(), undefined);
    await addBacklog(deps, [20_000]);
    expect(await preview(table, 9)).toMatchObject({ originals: 1 });
  });

  it('is rejected for an unknown buyer', async ({ table }) => {
    await expect(preview(table, 9)).rejects.toMatchObject({ code: 'buyer_not_found' });
  });

  it.for([1, 2, 3, 4, 5, 6])(
    'matches the leads of the order among others with capacity, minimums and weights: history %i',
    async (seed, { table, deps }) => {
      const random = seeded(seed);
      const pick = <T>(values: readonly T[]): T => random.pick(values);
      await addBuyers(table, [
        { id: 'a', probability: pick([10, 20, 30]), minimum: 20_000, limit: 30 },
        { id: 'b', probability: pick([10, 20, 30]), minimum: 30_000, limit: pick([1, 3, 30]) },
        { id: 'paused', probability: 10, limit: 5 },
        { id: 'next', probability: pick([5, 20]), minimum: pick([0, 15_000]), review: seed === 6 },
      ]);
      const admin = adminOn(table);
      await updateBuyer(admin, 'test', 'paused', { active: false });
      // Leads that fill the ledger, then a backlog that matches the others' lower minimums.
      await addBacklog(
        deps,
        Array.from({ length: 8 }, () => 40_000),
      );
      await addBacklog(
        deps,
        Array.from({ length: 24 }, () => pick([5000, 10_000, 15_000, 19_000])),
      );
      await updateBuyer(admin, 'test', 'a', { min_investment: 8000 });
      await updateBuyer(admin, 'test', 'b', { min_investment: 12_000 });
      const limit = pick([2, 5, 50]);
      const seen = await preview(table, limit);
      expect(seen.originals + seen.reviews).toBeGreaterThan(0);
      expect(await created(table, deps, limit)).toEqual(seen);
    },
  );

  it('examines a bounded number of leads, and reports that', async ({ table, deps }) => {
    await addBuyers(table, [{ id: 'next', probability: 50 }]);
    await addBacklog(deps, [20_000]);
    const pending = { index: 'gsi1', partition: indexed.pending() } as const;
    const [item = {}] = (await table.query(pending)).items;
    let pages = 0;
    // An endless backlog.
    const endless = changedTable(table, {
      query: async (query) => {
        if (query.partition !== pending.partition) return table.query(query);
        pages += 1;
        return { items: Array.from({ length: query.limit ?? 0 }, () => item), next: { pk: 'x', sk: 'x' } };
      },
    });
    const admin = adminOn(endless);
    const orderCache = createOrderCache(table, admin.runtime.now);
    const found = await previewOrder(
      { ...admin, orderCache },
      { buyerId: 'next', leadLimit: 5000, balance: 0 },
    );
    expect(found).toEqual({ originals: MAX_EXAMINED_LEADS, replacements: 0, reviews: 0, more: true });
    expect(pages).toBeLessThanOrEqual(MAX_EXAMINED_LEADS / 100 + 1);
  });
});
