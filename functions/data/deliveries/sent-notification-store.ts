import type { DataContext } from '#functions/data/context';
import { newItem } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';

/** Fails if the buyer was notified before. */
export const orderNotified = (order: number): Put => newItem(keys.orderNotified(order), { order_id: order });
export async function ordersNotified(
  { table }: DataContext,
  orders: readonly number[],
): Promise<ReadonlySet<number>> {
  const items = orders.length === 0 ? [] : await table.getMany(orders.map(keys.orderNotified));
  return new Set(items.flatMap((item) => (item === undefined ? [] : [Number(item.order_id)])));
}

/** Fails if the statement of this Monday (Berlin), or of a later one, was sent. */
export const weekNotified = (buyer: number, monday: string): Put => ({
  put: { ...keys.weekNotified(buyer), buyer, monday },
  condition: 'attribute_not_exists(pk) OR monday < :monday',
  values: { ':monday': monday },
});
export async function weeksNotified(
  { table }: DataContext,
  buyers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const items = buyers.length === 0 ? [] : await table.getMany(buyers.map(keys.weekNotified));
  return new Map(
    items.flatMap((item) => (item === undefined ? [] : [[Number(item.buyer), String(item.monday)]])),
  );
}
