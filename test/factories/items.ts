/** Items as the product stores them, for a table in memory. */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import type { Order } from '#functions/data/orders/order';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { type Day, type Totals } from '#functions/data/statistics/statistics-store';
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

/** Stores these statistics. */
export async function putStatistics(
  table: Table,
  days: ReadonlyMap<string, Day>,
  totals?: Totals,
): Promise<void> {
  await statisticsStore.write(
    { table },
    {
      recounts: [],
      days: [...days].map(([day, value]) => ({ day, shard: 0, version: 0, value })),
      totals: totals === undefined ? [] : [{ shard: 0, version: 0, value: totals }],
    },
  );
}
