/**
 * The statistics per buyer. A buyer's totals are those of its orders, deleted ones included, because their leads were
 * delivered; the time series and the shares are those of the chosen days.
 */

import { type Buyer, isActive, isServed, type PoolEntry } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import { type Order, orderStatus, originalLeads, revenue } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import type { OrderStore } from '#functions/data/orders/order-store';
import type { Day, StatisticsStore } from '#functions/data/statistics/statistics-store';
import { notFound } from '#functions/domain/common/errors';
import { LEAD } from '#functions/domain/distribution/share-rule';
import { addedUp } from '#functions/domain/statistics/statistics';
import type { Runtime } from '#functions/runtime';
import type { OrderStatus } from '#shared/contract/constants';
import { addDays, berlinDay } from '#shared/rules/working-days';

export interface BuyerStatisticsDeps {
  readonly statistics: Pick<StatisticsStore, 'range'>;
  readonly buyers: Pick<BuyerStore, 'all' | 'byId'>;
  readonly orders: Pick<OrderStore, 'ofBuyer'>;
  readonly orderCache: Pick<OrderCache, 'all'>;
  readonly pool: Pick<PoolStore, 'read'>;
  readonly runtime: Pick<Runtime, 'now'>;
}

export interface BuyerTotals {
  readonly buyer: Buyer;
  readonly active: boolean;
  /** Hundredths of a percent. */
  readonly probability: number;
  readonly originals: number;
  readonly replacements: number;
  readonly activeOrders: number;
  readonly completedOrders: number;
  readonly pendingReplacements: number;
  readonly decidedClaims: number;
  /** Cents; null where neither the buyer nor any of its orders has a price. */
  readonly revenue: number | null;
  /** Over the chosen days, in leads: the sum of the shares, and the leads got by the share rule. */
  readonly shareWanted: number;
  readonly shareGot: number;
}

export interface BuyerStatistics {
  readonly buyers: readonly BuyerTotals[];
  /** The chosen days, the oldest first; a day is one of Berlin, `2025-05-14`. */
  readonly days: readonly {
    readonly date: string;
    readonly originals: number;
    readonly replacements: number;
  }[];
}

/**
 * @param query days: how many Berlin days, today included; buyerId: only this buyer
 * @throws DomainError 404 for an unknown buyer
 */
export async function buyerStatistics(
  deps: BuyerStatisticsDeps,
  query: { days: number; buyerId?: string | undefined },
): Promise<BuyerStatistics> {
  const today = berlinDay(deps.runtime.now());
  const first = addDays(today, 1 - query.days);
  const [range, { buyers, orders }, { entries: poolEntries }] = await Promise.all([
    deps.statistics.range(first, today),
    query.buyerId === undefined ? everybody(deps) : one(deps, query.buyerId),
    deps.pool.read(),
  ]);
  const poolEntryOf = new Map(poolEntries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
  const ordersOf = new Map<number, Order[]>(buyers.map(({ buyer }) => [buyer, []]));
  for (const order of orders) ordersOf.get(order.buyer)?.push(order);
  const only = query.buyerId === undefined ? undefined : new Set(buyers.map(({ buyer }) => buyer));
  return {
    buyers: buyers.map((buyer) =>
      totalsOf(buyer, poolEntryOf.get(buyer.buyer), ordersOf.get(buyer.buyer) ?? [], range),
    ),
    days: Array.from({ length: query.days }, (_, at) => {
      const date = addDays(first, at);
      const day = [...(range.get(date) ?? [])].filter(([buyer]) => only?.has(buyer) ?? true);
      const total = addedUp(day.map(([, part]) => part));
      return { date, originals: total.originals, replacements: total.reimbursements };
    }),
  };
}

interface Subjects {
  readonly buyers: readonly Buyer[];
  readonly orders: readonly Order[];
}

/** A deleted buyer stays in the statistics once it has had an order. */
async function everybody(deps: BuyerStatisticsDeps): Promise<Subjects> {
  const [buyers, { orders }] = await Promise.all([deps.buyers.all(), deps.orderCache.all()]);
  return {
    buyers: buyers.filter(({ deleted_at, order_count }) => deleted_at === null || order_count > 0),
    orders,
  };
}

async function one(deps: BuyerStatisticsDeps, buyerId: string): Promise<Subjects> {
  const buyer = await deps.buyers.byId(buyerId);
  if (buyer === undefined) throw notFound('Buyer');
  return { buyers: [buyer], orders: await deps.orders.ofBuyer(buyer.buyer) };
}

function totalsOf(
  buyer: Buyer,
  poolEntry: PoolEntry | undefined,
  orders: readonly Order[],
  range: ReadonlyMap<string, Day>,
): BuyerTotals {
  const count = (status: OrderStatus) =>
    orders.filter((order) => orderStatus(order, isServed(poolEntry, order.order_id)) === status).length;
  const sum = (of: (order: Order) => number) => orders.reduce((total, order) => total + of(order), 0);
  const priced =
    buyer.price_per_lead !== null || orders.some(({ price_per_lead }) => price_per_lead !== null);
  const shares = addedUp([...range.values()].flatMap((day) => day.get(buyer.buyer) ?? []));
  return {
    buyer,
    active: isActive(buyer, buyer.last_order_id),
    probability: poolEntry?.probability ?? buyer.probability,
    originals: sum(originalLeads),
    replacements: sum(({ reimbursement_delivered }) => reimbursement_delivered),
    activeOrders: count('Active'),
    completedOrders: count('Completed'),
    pendingReplacements: sum(({ reimbursement_pending }) => reimbursement_pending),
    decidedClaims: buyer.approved_claims + buyer.rejected_claims,
    revenue: priced ? sum((order) => revenue(order) ?? 0) : null,
    shareWanted: shares.wanted / LEAD,
    shareGot: shares.got,
  };
}
