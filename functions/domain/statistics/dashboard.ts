/** The figures of the dashboard. Their cost does not grow with the number of leads. */

import type { PoolEntry } from '#functions/data/buyers/buyer';
import * as claimStore from '#functions/data/claims/claim-store';
import type { DataContext } from '#functions/data/context';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { hasCapacity, type Order, orderStatus } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import * as statisticsStore from '#functions/data/statistics/statistics-store';

export interface DashboardContext extends DataContext {
  readonly orderCache: Pick<OrderCache, 'some'>;
}

export interface DashboardStats {
  readonly pendingLeads: number;
  readonly activeOrders: number;
  readonly activeOrdersDelivered: number;
  readonly activeOrdersLimit: number;
  readonly pendingClaims: number;
  readonly pendingReplacements: number;
  readonly ordersOwingReplacements: number;
  readonly revenue: number | undefined;
  readonly failedDeliveries: number;
}

/** Larger numbers come from the totals, which follow with a delay. */
const MAX_COUNTED_NOW = 1000;

/** Only orders that pool entries name can be open or owe a replacement. Revenue is the total of all orders. */
export async function dashboardStats(context: DashboardContext): Promise<DashboardStats> {
  const [current, pendingLeads, claims, failed, totals] = await Promise.all([
    currentOrders(context),
    statisticsStore.pendingUpTo(context, MAX_COUNTED_NOW),
    claimStore.counts(context, { all: true }),
    deliveryStore.failedCount(context),
    statisticsStore.allTotals(context),
  ]);
  const active = current.filter(({ order, poolEntry }) => orderStatus(order, poolEntry.active) === 'Active');
  const owing = current.filter(({ order }) => order.reimbursement_pending > 0);
  const hasPrices =
    (totals.get('priced') ?? 0) > 0 ||
    current.some(({ order }) => hasCapacity(order) && order.price_per_lead !== null);
  return {
    pendingLeads: pendingLeads ?? totals.get('pending') ?? 0,
    activeOrders: active.length,
    activeOrdersDelivered: sumOf(active, ({ order }) => order.leads_received),
    activeOrdersLimit: sumOf(active, ({ order }) => order.lead_limit),
    pendingClaims: sumOf([...claims.values()], ({ pending }) => pending),
    pendingReplacements: sumOf(owing, ({ order }) => order.reimbursement_pending),
    ordersOwingReplacements: owing.length,
    revenue: hasPrices ? (totals.get('revenue') ?? 0) : undefined,
    failedDeliveries: failed,
  };
}

const MAX_FIRST_LEADS = 200;
/** Bounds the reads; buyers with the most leads first. */
const MAX_FIRST_BUYERS = 10;
const MAX_FIRST_DELIVERIES = 100;

/** Whether any lead has reached a buyer over a channel. `firstDelivery` caches a yes for the life of the process. */
export async function isFirstLeadDelivered(
  context: DashboardContext & { readonly firstDelivery: { known: boolean } },
): Promise<boolean> {
  const { firstDelivery } = context;
  if (firstDelivery.known) return true;
  const { entries } = await poolStore.read(context);
  const current = await ordersOf(context, entries);
  firstDelivery.known = sumOf(current, ({ order }) => order.leads_received) > MAX_FIRST_LEADS;
  const received = new Map(current.map(({ poolEntry, order }) => [poolEntry.buyer, order.leads_received]));
  const mostFirst = entries.toSorted((a, b) => (received.get(b.buyer) ?? 0) - (received.get(a.buyer) ?? 0));
  for (const { buyer } of mostFirst.slice(0, MAX_FIRST_BUYERS)) {
    if (firstDelivery.known) break;
    const options = { status: 'delivered', limit: MAX_FIRST_DELIVERIES } as const;
    const { deliveries } = await deliveryStore.ofBuyer(context, buyer, options);
    firstDelivery.known = deliveries.length > 0;
  }
  return firstDelivery.known;
}

export interface Current {
  readonly poolEntry: PoolEntry;
  readonly order: Order;
}

export async function currentOrders(context: DashboardContext): Promise<Current[]> {
  const { entries } = await poolStore.read(context);
  return ordersOf(context, entries);
}

async function ordersOf(
  context: Pick<DashboardContext, 'orderCache'>,
  poolEntries: readonly PoolEntry[],
): Promise<Current[]> {
  const named = poolEntries.flatMap((poolEntry) =>
    poolEntry.order_id === null ? [] : [{ poolEntry, id: poolEntry.order_id }],
  );
  const orders = await context.orderCache.some(named.map(({ id }) => id));
  return named.flatMap(({ poolEntry, id }) => {
    const order = orders.get(id);
    return order === undefined || order.deleted_at !== null ? [] : [{ poolEntry, order }];
  });
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
