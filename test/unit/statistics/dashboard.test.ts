/** Figures of the dashboard and of a buyer's row, from stored data. */

import { describe, expect, it } from 'vitest';
import { buyerStatisticsAnswer } from '#functions/api/insights/answers';
import type { PoolEntry } from '#functions/data/buyers/buyer';
import type { Delivery } from '#functions/data/leads/lead';
import type { Order } from '#functions/data/orders/order';
import { EMPTY_BUYER_DAY } from '#functions/data/statistics/statistics-store';
import { indexed, keys } from '#functions/data/table/keys';
import { LEAD } from '#functions/domain/distribution/share-rule';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { dashboardStats, isFirstLeadDelivered } from '#functions/domain/statistics/dashboard';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { aDelivery, anAttempt } from '#test/factories/deliveries';
import { buyerItems, orderItems, poolItem, putStatistics } from '#test/factories/items';
import { anOrder, orderCacheOf } from '#test/factories/orders';
import { putDelivery } from '#test/harness/deliveries';
import { adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTableWith } from '#test/harness/memory-table';

/** Each order is the current one of a buyer. */
async function dashboard(
  orders: readonly Order[],
  entries: readonly Partial<PoolEntry>[] = [],
  totals: Readonly<Record<string, number>> = {},
  pending?: number,
) {
  const table = await memoryTableWith([
    ...orders.map(({ order_id }, at) => poolItem(aPoolEntry({ buyer: at + 1, order_id, ...entries[at] }))),
    { ...keys.claimCount({ all: true }, 0), pending_1: 3, approved_1: 1 },
  ]);
  await putStatistics(table, new Map(), totals);
  // Undefined means more than are counted.
  const waiting = changedTable(table, {
    query: async ({ limit = 0 }) => ({
      items: Array.from({ length: pending ?? limit }, () => ({})),
      next: undefined,
    }),
  });
  return dashboardStats({
    ...adminOn(waiting),
    orderCache: orderCacheOf(orders),
  });
}

const open = anOrder({ order_id: 1, lead_limit: 10, leads_received: 4 });
const full = anOrder({ order_id: 2, lead_limit: 5, leads_received: 5 });
const owing = anOrder({ order_id: 3, lead_limit: 7, leads_received: 7, reimbursement_pending: 2 });
const deleted = anOrder({ order_id: 4, deleted_at: '2026-11-01T00:00:00.000Z', lead_limit: 9 });

describe('the number of active orders', () => {
  it('includes orders that can still take a lead or owe replacements', async () => {
    expect(await dashboard([open, full, owing, deleted])).toMatchObject({
      activeOrders: 2,
      activeOrdersDelivered: 11,
      activeOrdersLimit: 17,
      pendingReplacements: 2,
      ordersOwingReplacements: 1,
    });
  });

  it('excludes buyers without an order and missing orders', async () => {
    expect(await dashboard([open, full], [{ order_id: null }, { order_id: 99 }])).toMatchObject({
      activeOrders: 0,
      pendingClaims: 3,
    });
  });

  it('excludes a paused buyer, whose replacements stay owed', async () => {
    expect(await dashboard([open, owing], [{}, { active: false }])).toMatchObject({
      activeOrders: 1,
      activeOrdersDelivered: 4,
      activeOrdersLimit: 10,
      pendingReplacements: 2,
    });
  });
});

it('the number of pending leads is counted, or taken from the totals if there are too many to count', async () => {
  expect(await dashboard([], [], { pending: 1500 }, 0)).toMatchObject({ pendingLeads: 0 });
  expect(await dashboard([], [], { pending: 1500 })).toMatchObject({ pendingLeads: 1500 });
});

describe('the revenue', () => {
  const priced = (order: Order) => ({ ...order, price_per_lead: 1999 });

  it('is not shown while nothing has a price', async () => {
    expect((await dashboard([open, full])).revenue).toBeUndefined();
  });

  it('is shown as zero from the first open order with a price on', async () => {
    expect((await dashboard([priced(open)])).revenue).toBe(0);
    expect((await dashboard([priced(open), owing])).revenue).toBe(0);
    expect((await dashboard([priced(full)])).revenue).toBeUndefined();
  });

  it('is shown once a lead with a price was delivered, whatever the state of its order', async () => {
    expect((await dashboard([], [], { priced: 3, revenue: 5997 })).revenue).toBe(5997);
    expect((await dashboard([full], [], { priced: 1, revenue: 0 })).revenue).toBe(0);
  });
});

describe('the first lead', () => {
  const attempt = anAttempt('2026-11-20T10:00:01.000Z', 'delivered');
  const lead = (at: number, changes: Partial<Delivery>) =>
    aDelivery({ lead_id: `01J0000000000000000000000${at}`, attempts: [attempt], ...changes });

  /**
   * `received` leads in the last buyer's order, and these deliveries.
   * @returns whether one was delivered, and which buyers were checked
   */
  async function firstLead(deliveries: readonly Delivery[], { buyers = 3, received = 0 } = {}) {
    const numbers = Array.from({ length: buyers }, (_, at) => at + 1);
    const table = await memoryTableWith(
      numbers.map((buyer) => poolItem(aPoolEntry({ buyer, order_id: buyer }))),
    );
    for (const row of deliveries) await putDelivery(table, row);
    const orders = numbers.map((order_id) => anOrder({ order_id, leads_received: 0 }));
    orders.splice(-1, 1, anOrder({ order_id: buyers, leads_received: received }));
    const looked: number[] = [];
    const noted = changedTable(table, {
      query: (query) => {
        const buyer = Array.from({ length: buyers }, (_, at) => at + 1).find(
          (one) => query.partition === indexed.buyerDeliveries(one),
        );
        if (buyer !== undefined) looked.push(buyer);
        return table.query(query);
      },
    });
    const firstDelivery = { known: false };
    const isDelivered = () =>
      isFirstLeadDelivered({
        ...adminOn(noted),
        orderCache: orderCacheOf(orders),
        firstDelivery,
      });
    return { isDelivered, looked };
  }

  it('is not marked as delivered while none has reached a buyer', async () => {
    const none = await firstLead([]);
    expect(await none.isDelivered()).toBe(false);
    const tried = [
      lead(1, { buyer: 1, status: 'failed' }),
      lead(2, { buyer: 2, status: 'pending', attempts: [] }),
      lead(3, { buyer: 3, status: 'pending' }),
    ];
    expect(await (await firstLead(tried)).isDelivered()).toBe(false);
  });

  it('is searched for until it is found', async () => {
    const { isDelivered, looked } = await firstLead([lead(1, { buyer: 2, status: 'delivered' })]);
    expect([await isDelivered(), await isDelivered(), await isDelivered()]).toEqual([true, true, true]);
    expect(looked).toEqual([1, 2]);
    const missing = await firstLead([], { buyers: 2 });
    expect([await missing.isDelivered(), await missing.isDelivered()]).toEqual([false, false]);
    expect(missing.looked).toEqual([1, 2, 1, 2]);
  });

  it('is searched for at the ten buyers with most leads, and not after two hundred leads', async () => {
    const many = await firstLead([], { buyers: 12 });
    expect(await many.isDelivered()).toBe(false);
    expect(many.looked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const last = await firstLead([lead(1, { buyer: 12, status: 'delivered' })], { buyers: 12, received: 1 });
    expect(await last.isDelivered()).toBe(true);
    const busy = await firstLead([], { buyers: 1, received: 201 });
    expect(await busy.isDelivered()).toBe(true);
    expect(busy.looked).toEqual([]);
    expect(await (await firstLead([], { buyers: 1, received: 200 })).isDelivered()).toBe(false);
  });
});

describe('a buyer’s statistics', () => {
  const rowOf = async (buyer: Parameters<typeof aBuyer>[0], orders: readonly Order[] = []) => {
    const table = await memoryTableWith([
      ...buyerItems(aBuyer(buyer)),
      ...orders.flatMap(orderItems),
      poolItem(aPoolEntry({ order_id: 1 })),
    ]);
    const statistics = await buyerStatistics(
      {
        ...adminOn(table, { ...quietRuntime, now: () => new Date('2026-11-20T10:00:00Z') }),
        orderCache: orderCacheOf(orders),
      },
      { days: 7 },
    );
    return buyerStatisticsAnswer(statistics).buyer_stats[0];
  };

  it.each([
    [0, 0, 0, null],
    [4, 0, 0, null],
    [5, 2, 1, 66.67],
    [3, 0, 3, 0],
    [9, 1, 0, 100],
    [3, 1, 2, 33.33],
  ])(
    'have the approval rate for %d claims, %d approved and %d rejected: %s',
    async (total, approved, rejected, rate) => {
      const row = await rowOf({ total_claims: total, approved_claims: approved, rejected_claims: rejected });
      expect(row).toMatchObject({
        claim_approval_rate: rate,
        pending_claims: total - approved - rejected,
        total_claims: total,
      });
    },
  );

  it('have revenue only from orders with a price', async () => {
    expect(await rowOf({}, [open, full])).toMatchObject({ total_revenue: null, price_per_lead: null });
    expect(await rowOf({ price_per_lead: 115 })).toMatchObject({ total_revenue: 0, price_per_lead: 1.15 });
    const orders = [
      { ...open, price_per_lead: 1999 },
      { ...full, price_per_lead: 29, compensated_deletions: 1 },
      { ...deleted, price_per_lead: 115, leads_received: 2 },
      { ...owing, price_per_lead: null },
    ].map((order) => ({ ...order, buyer: 7 }));
    expect(await rowOf({}, orders)).toMatchObject({
      total_revenue: (4 * 1999 + 4 * 29 + 2 * 115) / 100,
      total_leads_received: 4 + 4 + 2 + 7,
      active_orders: 1,
      completed_orders: 1,
      pending_reimbursements: 2,
    });
  });
});

describe('the statistics of several buyers', () => {
  const buyers = [
    aBuyer({ buyer: 1, buyer_id: 'open' }),
    aBuyer({ buyer: 2, buyer_id: 'gone', deleted_at: '2026-11-01T00:00:00Z', order_count: 1 }),
    aBuyer({ buyer: 3, buyer_id: 'never', deleted_at: '2026-11-01T00:00:00Z', order_count: 0 }),
    aBuyer({ buyer: 4, buyer_id: 'new', order_count: 0 }),
  ];
  const figures = {
    ...EMPTY_BUYER_DAY,
    originals: 2,
    reimbursements: 1,
    got: 2,
    claims: 1,
    prices: { 250: 2 },
  };
  const days = new Map([
    [
      '2026-11-19',
      new Map([
        [1, { ...figures, wanted: 3 * LEAD }],
        [2, figures],
      ]),
    ],
    ['2026-11-20', new Map([[1, { ...figures, limit_reached: 1, below_minimum: 2 }]])],
  ]);
  const of = async (query: Parameters<typeof buyerStatistics>[1]) => {
    const orders = [1, 2, 9].map((buyer) => anOrder({ buyer, order_id: buyer, leads_received: 4 }));
    const table = await memoryTableWith([
      ...buyers.flatMap(buyerItems),
      ...orders.flatMap(orderItems),
      poolItem(aPoolEntry({ buyer: 1, order_id: 1 })),
    ]);
    await putStatistics(table, days);
    return buyerStatistics(
      {
        ...adminOn(table, { ...quietRuntime, now: () => new Date('2026-11-20T10:00:00Z') }),
        orderCache: orderCacheOf(orders),
      },
      query,
    );
  };

  it('include all buyers except deleted ones that never had an order', async () => {
    const all = await of({ days: 2 });
    expect(all.buyers.map(({ buyer, originals }) => [buyer.buyer_id, originals])).toEqual([
      ['open', 4],
      ['gone', 4],
      ['new', 0],
    ]);
    expect(all.totals).toMatchObject({ originals: 6, replacements: 3, claims: 3, revenue: 1500 });
    expect(all.buyers[0]).toMatchObject({
      shareWanted: 3,
      shareGot: 4,
      missedLimitReached: 1,
      missedBelowMinimum: 2,
      missedOutsideCriteria: 0,
      missedWithoutConsent: 0,
    });
    expect(all.buyers[2]).toMatchObject({ shareWanted: 0, shareGot: 0 });
    expect(all.before).toBeUndefined();
  });

  it('of one buyer have its days only, and the previous period on request', async () => {
    const one = await of({ days: 1, buyerId: 'gone', compare: true });
    expect(one.buyers.map(({ buyer }) => buyer.buyer_id)).toEqual(['gone']);
    expect(one.days).toEqual([{ date: '2026-11-20', originals: 0, replacements: 0 }]);
    expect(one.before).toMatchObject({ from: '2026-11-19', to: '2026-11-19', originals: 2 });
    await expect(of({ days: 1, buyerId: 'nobody' })).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('require a range of at most two years that begins before it ends', async () => {
    const code = (from: string, to: string) =>
      of({ days: 7, from, to }).then(
        ({ days: all }) => all.length,
        (error: { code: string }) => error.code,
      );
    expect(await code('2026-11-20', '2026-11-20')).toBe(1);
    expect(await code('2026-11-20', '2026-11-19')).toBe('days_reversed');
    expect(await code('2024-11-19', '2026-11-20')).toBe(732);
    expect(await code('2024-11-18', '2026-11-20')).toBe('too_many_days');
    expect(await code('2026-02-30', '2026-11-20')).toBe('no_such_day');
  });
});
