/** List views: when somebody opened the list of an order with new leads in it. */
import type { DataContext } from '#functions/data/context';
import { newItem } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';

/** Sorts after every instant. */
const END = '~';

/** When the newest lead seen so far was delivered; undefined before the first list view. */
export async function viewedUpTo({ table }: DataContext, orderId: number): Promise<string | undefined> {
  const { items } = await table.query({
    partition: keys.listViews(orderId),
    descending: true,
    limit: 1,
    consistent: true,
  });
  return items[0] && String(items[0].sk);
}

/** The first of concurrent views counts. @param upTo when the newest lead in the list was delivered */
export async function opened(
  { table }: DataContext,
  orderId: number,
  upTo: string,
  at: string,
): Promise<void> {
  await table.put(newItem(keys.listView(orderId, upTo), { at }));
}

/** @param delivered the instant (UTC) of the lead's delivery */
export async function firstAfter(
  { table }: DataContext,
  orderId: number,
  delivered: string,
): Promise<string | undefined> {
  const { items } = await table.query({
    partition: keys.listViews(orderId),
    sort: { from: delivered, to: END },
    limit: 1,
    consistent: true,
  });
  return items[0] && String(items[0].at);
}
