/** The figures of the dashboard and of a buyer's row, from what is stored. */
import { describe, expect, it } from 'vitest';
import { buyerStatisticsAnswer } from '#functions/api/insights/answers';
import type { PoolEntry } from '#functions/data/buyers/buyer';
import type { Order } from '#functions/data/orders/order';
import { EMPTY_TOTALS } from '#functions/data/statistics/statistics-store';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { dashboardStats } from '#functions/domain/statistics/dashboard';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { anOrder } from '#test/factories/orders';

/** Each order is the one that a buyer's leads go to. */
function dashboard(
  orders: readonly Order[],
  entries: readonly Partial<PoolEntry>[] = [],
  totals: Partial<typeof EMPTY_TOTALS> = {},
) {
  const pool = orders.map(({ order_id }, at) => aPoolEntry({ buyer: at + 1, order_id, ...entries[at] }));
  return dashboardStats({
    pool: { read: async () => ({ entries: pool }) as never },
    orderCache: { some: async () => new Map(orders.map((order) => [order.order_id, order])) },
    statistics: {
      allTotals: async () => ({ ...EMPTY_TOTALS, ...totals }),
      pendingUpTo: async () => 0,
    },
    claims: { counts: async () => new Map() },
    deliveries: { failedCount: async () => 0 },
  });
}

const open = anOrder({ order_id: 1, lead_limit: 10, leads_received: 4 });
const full = anOrder({ order_id: 2, lead_limit: 5, leads_received: 5 });
const owing = anOrder({ order_id: 3, lead_limit: 7, leads_received: 7, reimbursement_pending: 2 });
const deleted = anOrder({ order_id: 4, deleted_at: '2026-11-01T00:00:00.000Z', lead_limit: 9 });

describe('the active orders', () => {
  it('are those that can still take a lead, owed replacements included', async () => {
    expect(await dashboard([open, full, owing, deleted])).toMatchObject({
      activeOrders: 2,
      activeOrdersDelivered: 11,
      activeOrdersLimit: 17,
      pendingReplacements: 2,
      ordersOwingReplacements: 1,
    });
  });

  it('are none of a paused buyer, whose replacements stay owed', async () => {
    expect(await dashboard([open, owing], [{}, { active: false }])).toMatchObject({
      activeOrders: 1,
      activeOrdersDelivered: 4,
      activeOrdersLimit: 10,
      pendingReplacements: 2,
    });
  });
});

describe('the revenue', () => {
  const priced = (order: Order) => ({ ...order, price_per_lead: 1999 });

  it('is not shown while nothing has a price', async () => {
    expect((await dashboard([open, full])).revenue).toBeUndefined();
  });

  it('is shown, as zero, from the first open order with a price on', async () => {
    expect((await dashboard([priced(open)])).revenue).toBe(0);
    expect((await dashboard([priced(full)])).revenue).toBeUndefined();
  });

  it('is shown as long as a lead with a price was delivered, whatever became of its order', async () => {
    expect((await dashboard([], [], { priced: 3, revenue: 5997 })).revenue).toBe(5997);
    expect((await dashboard([full], [], { priced: 1, revenue: 0 })).revenue).toBe(0);
  });
});

describe('a buyer’s statistics', () => {
  const rowOf = async (buyer: Parameters<typeof aBuyer>[0], orders: readonly Order[] = []) => {
    const statistics = await buyerStatistics(
      {
        buyers: { all: async () => [aBuyer(buyer)], byId: async () => aBuyer(buyer) },
        orders: { ofBuyer: async () => [...orders] },
        orderCache: { all: async () => ({ orders: [...orders], comments: new Map() }) },
        pool: { read: async () => ({ entries: [aPoolEntry({ order_id: 1 })] }) as never },
        statistics: { range: async () => new Map() },
        runtime: { now: () => new Date('2026-11-20T10:00:00Z') },
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
    'with %d claims, %d approved and %d rejected have the approval rate %s',
    async (total, approved, rejected, rate) => {
      const row = await rowOf({ total_claims: total, approved_claims: approved, rejected_claims: rejected });
      expect(row).toMatchObject({
        claim_approval_rate: rate,
        pending_claims: total - approved - rejected,
        total_claims: total,
      });
    },
  );

  it('have no revenue without a price, and that of every order with one', async () => {
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
