/**
 * The statistics per buyer. A buyer's totals are those of its orders, deleted ones included, because their leads were
 * delivered; the time series and the shares are those of the chosen days.
 */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import { type Order, orderStatus, revenue } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import type { OrderStore } from '#functions/data/orders/order-store';
import {
  type BuyerDay,
  type Day,
  EMPTY_BUYER_DAY,
  type StatisticsStore,
} from '#functions/data/statistics/statistics-store';
import { notFound } from '#functions/domain/common/errors';
import { euro, isActive, isServed } from '#functions/domain/common/rows';
import { LEAD } from '#functions/domain/distribution/share-rule';
import type { Runtime } from '#functions/runtime';
import type { Answer } from '#shared/contract/schemas';
import type { BuyerStatsRow } from '#shared/contract/schemas/insights';
import { addDays, berlinDay } from '#shared/rules/working-days';

export interface BuyerStatisticsDeps {
  readonly statistics: Pick<StatisticsStore, 'range'>;
  readonly buyers: Pick<BuyerStore, 'all' | 'byId'>;
  readonly orders: Pick<OrderStore, 'ofBuyer'>;
  readonly orderCache: Pick<OrderCache, 'all'>;
  readonly pool: Pick<PoolStore, 'read'>;
  readonly runtime: Pick<Runtime, 'now'>;
}

/**
 * @param query days: how many Berlin days, today included; buyerId: only this buyer
 * @throws DomainError 404 for an unknown buyer
 */
export async function buyerStatistics(
  deps: BuyerStatisticsDeps,
  query: { days: number; buyerId?: string | undefined },
): Promise<Answer<'getBuyerStats'>> {
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
    buyer_stats: buyers.map((buyer) =>
      statsRow(buyer, poolEntryOf.get(buyer.buyer), ordersOf.get(buyer.buyer) ?? [], range),
    ),
    time_series: Array.from({ length: query.days }, (_, at) => {
      const date = addDays(first, at);
      const day = [...(range.get(date) ?? [])].filter(([buyer]) => only?.has(buyer) ?? true);
      const sum = addedUp(day.map(([, part]) => part));
      return {
        date,
        leads_received: sum.originals + sum.reimbursements,
        original_leads: sum.originals,
        reimbursement_leads: sum.reimbursements,
      };
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

function statsRow(
  buyer: Buyer,
  poolEntry: PoolEntry | undefined,
  orders: readonly Order[],
  range: ReadonlyMap<string, Day>,
): BuyerStatsRow {
  const active = isActive(buyer, buyer.last_order_id);
  const count = (status: string) =>
    orders.filter((order) => orderStatus(order, isServed(poolEntry, order.order_id)) === status).length;
  const sum = (of: (order: Order) => number) => orders.reduce((total, order) => total + of(order), 0);
  const originals = sum(({ leads_received }) => leads_received);
  const replacements = sum(({ reimbursement_delivered }) => reimbursement_delivered);
  const decided = buyer.approved_claims + buyer.rejected_claims;
  const priced = orders.some(({ price_per_lead }) => price_per_lead !== null);
  const shares = addedUp([...range.values()].map((day) => day.get(buyer.buyer) ?? EMPTY_BUYER_DAY));
  return {
    buyer_id: buyer.buyer_id,
    buyer_name: buyer.buyer_id,
    total_leads_received: originals + replacements,
    original_leads_received: originals,
    reimbursement_leads_received: replacements,
    active_orders: count('Active'),
    completed_orders: count('Completed'),
    pending_reimbursements: sum(({ reimbursement_pending }) => reimbursement_pending),
    total_claims: buyer.total_claims,
    approved_claims: buyer.approved_claims,
    rejected_claims: buyer.rejected_claims,
    pending_claims: buyer.total_claims - decided,
    claim_approval_rate: decided === 0 ? null : rounded((100 * buyer.approved_claims) / decided),
    current_probability: buyer.probability / 100,
    buyer_type: buyer.buyer_type,
    price_per_lead: buyer.price_per_lead === null ? null : euro(buyer.price_per_lead),
    total_revenue: priced || buyer.price_per_lead !== null ? euro(sum((order) => revenue(order) ?? 0)) : null,
    active: active ? 1 : 0,
    share_wanted: rounded(shares.wanted / LEAD),
    share_got: shares.got,
    share_distance: rounded(shares.got - shares.wanted / LEAD),
  };
}

function addedUp(parts: readonly BuyerDay[]): BuyerDay {
  return parts.reduce(
    (sum, part) => ({
      originals: sum.originals + part.originals,
      reimbursements: sum.reimbursements + part.reimbursements,
      by_hand: sum.by_hand + part.by_hand,
      wanted: sum.wanted + part.wanted,
      got: sum.got + part.got,
    }),
    EMPTY_BUYER_DAY,
  );
}

/** To two decimals; never -0. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
