/** Statistics per buyer. Totals are over all orders, deleted ones included; time series and shares over the chosen days. */

import { type Buyer, isActive, isServed, type PoolEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import { type Order, orderStatus, originalLeads, revenue } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import * as orderStore from '#functions/data/orders/order-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { addedUp, type Day, missedFor, revenueOf } from '#functions/data/statistics/statistics-store';
import { invalid, notFound } from '#functions/domain/common/errors';
import { LEAD } from '#functions/domain/distribution/share-rule';
import { CAP_REASONS, type OrderStatus, OTHER_MISFITS } from '#shared/rules/constants';
import { addDays, berlinDay, daysBetween, isDay } from '#shared/rules/working-days';

export interface BuyerStatisticsContext extends Context {
  readonly orderCache: Pick<OrderCache, 'all'>;
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
  /** Cents; null if neither the buyer nor any of its orders has a price. */
  readonly revenue: number | null;
  /** Over the chosen days, in leads: the sum of the shares, and the leads received by the share rule. */
  readonly shareWanted: number;
  readonly shareGot: number;
  readonly missedLimitReached: number;
  readonly missedBelowMinimum: number;
  /** For the maximum amount, the terms or the sources that it wants. */
  readonly missedOutsideCriteria: number;
  readonly missedWithoutConsent: number;
  readonly missedOutsideSchedule: number;
  readonly missedCapReached: number;
  readonly refused: number;
}

export interface RangeTotals {
  readonly from: string;
  readonly to: string;
  readonly originals: number;
  readonly replacements: number;
  readonly revenue: number;
  readonly claims: number;
}

export interface BuyerStatistics {
  readonly buyers: readonly BuyerTotals[];
  readonly days: readonly {
    readonly date: string;
    readonly originals: number;
    readonly replacements: number;
  }[];
  readonly totals: RangeTotals;
  readonly before: RangeTotals | undefined;
}

export interface RangeQuery {
  readonly days: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface BuyerStatisticsQuery extends RangeQuery {
  readonly compare?: boolean | undefined;
  readonly buyerId?: string | undefined;
}

const MAX_DAYS = 732;

/** @throws DomainError 404 for an unknown buyer, 400 for a reversed range or one over two years */
export async function buyerStatistics(
  context: BuyerStatisticsContext,
  query: BuyerStatisticsQuery,
): Promise<BuyerStatistics> {
  const { first, last, days } = daysOf(query, berlinDay(context.runtime.now()));
  const [firstBefore, lastBefore] = [addDays(first, -days), addDays(first, -1)];
  const [range, earlier, { buyers, orders }, { entries: poolEntries }] = await Promise.all([
    statisticsStore.range(context, first, last),
    query.compare === true ? statisticsStore.range(context, firstBefore, lastBefore) : undefined,
    query.buyerId === undefined ? allBuyers(context) : one(context, query.buyerId),
    poolStore.read(context),
  ]);
  const poolEntryOf = new Map(poolEntries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
  const ordersOf = new Map<number, Order[]>(buyers.map(({ buyer }) => [buyer, []]));
  for (const order of orders) ordersOf.get(order.buyer)?.push(order);
  const only = query.buyerId === undefined ? undefined : new Set(buyers.map(({ buyer }) => buyer));
  return {
    buyers: buyers.map((buyer) =>
      totalsOf(buyer, poolEntryOf.get(buyer.buyer), ordersOf.get(buyer.buyer) ?? [], range),
    ),
    days: Array.from({ length: days }, (_, at) => {
      const date = addDays(first, at);
      const total = addedUp(partsOf(range.get(date), only));
      return { date, originals: total.originals, replacements: total.reimbursements };
    }),
    totals: rangeTotals(range, only, first, last),
    before: earlier && rangeTotals(earlier, only, firstBefore, lastBefore),
  };
}

export function daysOf({ days, from, to }: RangeQuery, today: string) {
  for (const day of [from, to])
    if (day !== undefined && !isDay(day)) throw invalid('no_such_day', 'There is no such day');
  const last = to ?? today;
  const first = from ?? addDays(last, 1 - days);
  const length = daysBetween(first, last) + 1;
  if (length < 1) throw invalid('days_reversed', 'The first day is after the last one');
  if (length > MAX_DAYS) throw invalid('too_many_days', 'Choose at most two years');
  return { first, last, days: length };
}

function partsOf(day: Day | undefined, only: ReadonlySet<number> | undefined) {
  return [...(day ?? [])].flatMap(([buyer, part]) => ((only?.has(buyer) ?? true) ? [part] : []));
}

function rangeTotals(
  range: ReadonlyMap<string, Day>,
  only: ReadonlySet<number> | undefined,
  from: string,
  to: string,
): RangeTotals {
  const total = addedUp([...range.values()].flatMap((day) => partsOf(day, only)));
  return {
    from,
    to,
    originals: total.originals,
    replacements: total.reimbursements,
    revenue: revenueOf(total),
    claims: total.claims,
  };
}

interface Subjects {
  readonly buyers: readonly Buyer[];
  readonly orders: readonly Order[];
}

/** A deleted buyer stays in the statistics once it has had an order. */
async function allBuyers(context: BuyerStatisticsContext): Promise<Subjects> {
  const [buyers, { orders }] = await Promise.all([buyerStore.all(context), context.orderCache.all()]);
  const shown = buyers.filter(({ deleted_at, order_count }) => deleted_at === null || order_count > 0);
  return { buyers: shown, orders };
}

async function one(context: BuyerStatisticsContext, buyerId: string): Promise<Subjects> {
  const buyer = await buyerStore.byId(context, buyerId);
  if (buyer === undefined) throw notFound('Buyer');
  return { buyers: [buyer], orders: await orderStore.ofBuyer(context, buyer.buyer) };
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
    missedLimitReached: shares.limit_reached,
    missedBelowMinimum: shares.below_minimum,
    missedOutsideCriteria: missedFor(shares, OTHER_MISFITS),
    missedWithoutConsent: shares.missed.consent_required ?? 0,
    missedOutsideSchedule: shares.missed.outside_schedule ?? 0,
    missedCapReached: missedFor(shares, CAP_REASONS),
    refused: shares.refused,
  };
}
