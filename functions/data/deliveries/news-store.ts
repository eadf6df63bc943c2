import type { DataContext } from '#functions/data/context';
import { newItem } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';

/** Fails if the buyer was notified before. */
export const orderTold = (order: number): Put => newItem(keys.newsOfOrder(order), { order_id: order });
export async function ordersTold(
  { table }: DataContext,
  orders: readonly number[],
): Promise<ReadonlySet<number>> {
  const items = orders.length === 0 ? [] : await table.getMany(orders.map(keys.newsOfOrder));
  return new Set(items.flatMap((item) => (item === undefined ? [] : [Number(item.order_id)])));
}

/** Fails if the statement of this Monday (Berlin), or of a later one, was sent. */
export const weekTold = (buyer: number, monday: string): Put => ({
  put: { ...keys.newsOfWeek(buyer), buyer, monday },
  condition: 'attribute_not_exists(pk) OR monday < :monday',
  values: { ':monday': monday },
});
export async function weeksTold(
  { table }: DataContext,
  buyers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const items = buyers.length === 0 ? [] : await table.getMany(buyers.map(keys.newsOfWeek));
  return new Map(
    items.flatMap((item) => (item === undefined ? [] : [[Number(item.buyer), String(item.monday)]])),
  );
}
