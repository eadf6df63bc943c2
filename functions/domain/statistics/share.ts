/**
 * What a buyer is told about its share: how many leads were due to it, how many it received, and how many were not for it.
 * From the daily figures of all buyers, of which only its own are looked at. Whole days and whole leads, so that nobody can
 * watch the leads of others go by: see `docs/adr/0010-statistics.md`.
 */

import type { Buyer } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { addedUp, type BuyerDay } from '#functions/data/statistics/statistics-store';
import { LEAD } from '#functions/domain/distribution/share-rule';
import { type MissedReason, PAUSE_REASONS } from '#shared/rules/constants';
import { addDays, berlinDay } from '#shared/rules/working-days';

/** Berlin days, both included. */
interface Days {
  readonly from: string;
  readonly to: string;
}

export interface ShareOfDays extends Days {
  /** Leads that were due by weight, rounded to whole ones. */
  readonly entitled: number;
  /** Leads received by weight. */
  readonly received: number;
  /** Leads received because an admin chose the buyer. */
  readonly byHand: number;
  /** How many leads were not for the buyer, by the reason; reasons without a lead are left out. */
  readonly missed: ReadonlyMap<MissedReason, number>;
}

export interface BuyerShare {
  /** Hundredths of a percent, as it is now. */
  readonly weight: number;
  /** The last day that is counted: yesterday in Berlin. */
  readonly asOf: string;
  /** The days of the order; null until it has one. */
  readonly order: ShareOfDays | null;
  /** The last thirty days; null for a buyer that was added today. */
  readonly lastDays: ShareOfDays | null;
}

const LAST_DAYS = 30;

/** @param order whose days are summed */
export async function buyerShare(
  context: DataContext,
  buyer: Pick<Buyer, 'buyer' | 'probability' | 'created_at'>,
  order: Order,
  now: Date,
): Promise<BuyerShare> {
  const asOf = addDays(berlinDay(now), -1);
  const [poolEntry, orders] = await Promise.all([
    poolStore.entry(context, buyer.buyer),
    orderStore.ofBuyer(context, buyer.buyer),
  ]);
  const ofOrder = daysOfOrder(order, orders, asOf);
  const last = daysUpTo(later(addDays(asOf, 1 - LAST_DAYS), dayOf(buyer.created_at)), asOf);
  const earliest = [ofOrder, last].flatMap((days) => days?.from ?? []).toSorted()[0];
  const figures =
    earliest === undefined
      ? new Map<string, BuyerDay>()
      : await statisticsStore.rangeOf(context, buyer.buyer, earliest, asOf);
  return {
    weight: poolEntry?.probability ?? buyer.probability,
    asOf,
    order: ofOrder && shareOf(ofOrder, figures),
    lastDays: last && shareOf(last, figures),
  };
}

/**
 * The days of an order: from the day on which it was opened to the one before the buyer's next order was, or to the day on
 * which it was deleted. Figures are kept by the day, so one on which two orders took turns counts for the later one.
 * @param asOf the last day that is counted
 * @returns null where there is none yet
 */
export function daysOfOrder(
  order: Pick<Order, 'buyer_order_number' | 'created_at' | 'deleted_at'>,
  orders: readonly Pick<Order, 'buyer_order_number' | 'created_at'>[],
  asOf: string,
): Days | null {
  const from = dayOf(order.created_at);
  const next = orders.find((other) => other.buyer_order_number === order.buyer_order_number + 1);
  const ends = [
    asOf,
    ...(next === undefined ? [] : [addDays(dayOf(next.created_at), -1)]),
    ...(order.deleted_at === null ? [] : [dayOf(order.deleted_at)]),
  ].toSorted();
  return daysUpTo(from, ends[0] ?? asOf);
}

function shareOf({ from, to }: Days, figures: ReadonlyMap<string, BuyerDay>): ShareOfDays {
  const sum = addedUp([...figures].flatMap(([day, of]) => (day >= from && day <= to ? [of] : [])));
  const missed: readonly (readonly [MissedReason, number])[] = [
    ['limit_reached', sum.limit_reached],
    ['below_minimum', sum.below_minimum],
    ...(['already_received', ...PAUSE_REASONS] as const).map(
      (reason) => [reason, sum.missed[reason] ?? 0] as const,
    ),
  ];
  return {
    from,
    to,
    entitled: Math.round(sum.wanted / LEAD),
    received: sum.got,
    byHand: sum.by_hand,
    missed: new Map(missed.filter(([, leads]) => leads > 0)),
  };
}

const dayOf = (instant: string) => berlinDay(new Date(instant));
const later = (a: string, b: string) => (a > b ? a : b);
const daysUpTo = (from: string, to: string): Days | null => (from <= to ? { from, to } : null);
