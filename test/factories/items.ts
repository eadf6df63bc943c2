/** Items in stored form, for an in-memory table. */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import type { Order } from '#functions/data/orders/order';
import type { Day } from '#functions/data/statistics/statistics-store';
import { nameOf, sumsPut } from '#functions/data/statistics/sums';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

export const buyerItems = (buyer: Buyer) => [
  { ...keys.buyer(buyer.buyer), ...buyer },
  { ...keys.buyerId(buyer.buyer_id), buyer: buyer.buyer },
];

export const orderItems = (order: Order) => [
  { ...keys.order(order.order_id), ...order },
  { ...keys.buyerOrder(order.buyer, order.order_id), order_id: order.order_id },
];

export const poolItem = (entry: PoolEntry) => ({ ...keys.poolEntry(entry.buyer), ...entry });

export const sumsItem = (name: string, figures: Readonly<Record<string, number>>, shard = 0) =>
  sumsPut({ name, shard, version: 0, value: new Map(Object.entries(figures)) }).put;

/** A day's figures of buyers, by name. */
export const figuresOf = (day: Day): Record<string, number> =>
  Object.fromEntries(
    [...day].flatMap(([buyer, figures]) =>
      Object.entries(figures).flatMap(([figure, value]): [string, number][] =>
        typeof value === 'number'
          ? [[`${figure}:${buyer}`, value]]
          : Object.entries(value).map(([of, leads]) => [`${figure}:${buyer}:${of}`, leads]),
      ),
    ),
  );

/** Stores these statistics. */
export async function putStatistics(
  table: Table,
  days: ReadonlyMap<string, Day>,
  totals?: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [day, buyers] of days) await table.put({ put: sumsItem(nameOf.day(day), figuresOf(buyers)) });
  if (totals !== undefined) await table.put({ put: sumsItem(nameOf.totals(), totals) });
}
