/**
 * List views: when somebody opened the list of an order with leads in it that were not there before. Opening it again
 * without new leads adds no item.
 */
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

export interface ListViewStore {
  /** When the newest lead seen so far was delivered; undefined before the first list view. */
  seenUpTo(orderId: number): Promise<string | undefined>;
  /** Adds a list view; the first of two at once counts. @param upTo when the newest lead in the list was delivered */
  opened(orderId: number, upTo: string, at: string): Promise<void>;
  /** When a lead was first seen; undefined if it was not. @param delivered the instant (UTC) of its delivery */
  firstAfter(orderId: number, delivered: string): Promise<string | undefined>;
}

/** Sorts after every instant. */
const END = '~';

export function createListViewStore(table: Table): ListViewStore {
  return {
    async seenUpTo(orderId) {
      const { items } = await table.query({
        partition: keys.listViews(orderId),
        descending: true,
        limit: 1,
        consistent: true,
      });
      return items[0] && String(items[0].sk);
    },

    async opened(orderId, upTo, at) {
      await table.put({
        put: { ...keys.listView(orderId, upTo), at },
        condition: 'attribute_not_exists(pk)',
      });
    },

    async firstAfter(orderId, delivered) {
      const { items } = await table.query({
        partition: keys.listViews(orderId),
        sort: { from: delivered, to: END },
        limit: 1,
        consistent: true,
      });
      return items[0] && String(items[0].at);
    },
  };
}
