/**
 * What a buyer sees of its share. Only whole days and whole leads, so that it cannot observe the leads of other buyers: see
 * `docs/adr/0010-statistics.md`.
 */

import type { Buyer } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { addedUp, type BuyerDay, MISSED_BY_NAME } from '#functions/data/statistics/statistics-store';
import { LEAD } from '#functions/domain/distribution/share-rule';
import type { MissedReason } from '#shared/rules/constants';
import { addDays, berlinDay } from '#shared/rules/working-days';

interface Days {
  readonly from: string;
  readonly to: string;
}

export interface ShareOfDays extends Days {
  readonly entitled: number;
  readonly received: number;
  readonly byHand: number;
  readonly missed: ReadonlyMap<MissedReason, number>;
}

export interface BuyerShare {
  readonly weight: number;
  /** The last day that is counted: yesterday in Berlin. */
  readonly asOf: string;
  readonly order: ShareOfDays | null;
  readonly lastDays: ShareOfDays | null;
}

const LAST_DAYS = 30;

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

/** Figures are daily, so the day of a change counts for the later order. @param asOf the last counted day */
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
    ...MISSED_BY_NAME.map((reason) => [reason, sum.missed[reason] ?? 0] as const),
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
