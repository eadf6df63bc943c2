/** Billing figures by month (Berlin) and buyer, from the daily figures and the orders. Reads no lead. */

import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { DataContext } from '#functions/data/context';
import type { OrderCache } from '#functions/data/orders/order-cache';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { addedUp, type BuyerDay, revenueOf } from '#functions/data/statistics/statistics-store';
import { invalid } from '#functions/domain/common/errors';
import { berlinDay } from '#shared/rules/working-days';

export interface AccountingContext extends DataContext {
  readonly orderCache: Pick<OrderCache, 'all'>;
}

export interface AccountingLine {
  readonly month: string;
  readonly buyer: Buyer;
  readonly orders: number;
  readonly ordered: number;
  readonly originals: number;
  readonly replacements: number;
  /** Cents; null if no original of the month has a price. */
  readonly lowestPrice: number | null;
  readonly highestPrice: number | null;
  readonly revenue: number;
  readonly claims: number;
  readonly approved: number;
  readonly rejected: number;
}

interface Opened {
  readonly days: BuyerDay[];
  orders: number;
  ordered: number;
}

/** `from` and `to` as `2026-11`, both included. */
export interface Months {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @throws DomainError 400 if they are reversed */
export function monthsOf({ from = '0000-00', to = '9999-99' }: Months) {
  if (from > to) throw invalid('months_reversed', 'The first month is after the last one');
  return { from, to };
}

/** @throws DomainError 400 if the months are reversed */
export async function accountingLines(context: AccountingContext, months: Months): Promise<AccountingLine[]> {
  const { from, to } = monthsOf(months);
  const [range, buyers, { orders }] = await Promise.all([
    // A day sorts after its month and before the next one.
    statisticsStore.range(context, from, `${to}~`),
    buyerStore.all(context),
    context.orderCache.all(),
  ]);
  const byMonth = new Map<string, Map<number, Opened>>();
  const lineOf = (month: string, buyer: number) => {
    const its = byMonth.get(month) ?? new Map();
    byMonth.set(month, its);
    const line = its.get(buyer) ?? { days: [], orders: 0, ordered: 0 };
    its.set(buyer, line);
    return line;
  };
  for (const [day, ofDay] of range)
    for (const [buyer, figures] of ofDay) lineOf(monthOf(day), buyer).days.push(figures);
  for (const order of orders) {
    const month = monthOf(berlinDay(new Date(order.created_at)));
    if (month < from || month > to) continue;
    const line = lineOf(month, order.buyer);
    line.orders += 1;
    line.ordered += order.lead_limit;
  }
  const lines = [...byMonth].flatMap(([month, ofMonth]) =>
    buyers.flatMap((buyer) => {
      const line = ofMonth.get(buyer.buyer);
      if (line === undefined) return [];
      const { originals, reimbursements, claims, approved, rejected, prices } = addedUp(line.days);
      const { orders: opened, ordered } = line;
      if (originals + reimbursements + claims + opened === 0) return [];
      const cents = Object.keys(prices).map(Number);
      return {
        month,
        buyer,
        orders: opened,
        ordered,
        originals,
        replacements: reimbursements,
        lowestPrice: cents.length === 0 ? null : Math.min(...cents),
        highestPrice: cents.length === 0 ? null : Math.max(...cents),
        revenue: revenueOf({ prices }),
        claims,
        approved,
        rejected,
      };
    }),
  );
  return lines.sort(
    (a, b) => a.month.localeCompare(b.month) || a.buyer.buyer_id.localeCompare(b.buyer.buyer_id),
  );
}

export const monthOf = (day: string) => day.slice(0, 7);
