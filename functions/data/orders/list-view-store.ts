/**
 * When a buyer first looked at the list of an order with the leads it had by then: one item for each time that there
 * was something new to see, not for each look.
 */
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

export interface ListViewStore {
  /** When the newest lead of all those seen so far was delivered; undefined before the first look. */
  seenUpTo(orderId: number): Promise<string | undefined>;
  /** Of two that look at the same moment the first counts. @param upTo when the newest lead in sight was delivered */
  opened(orderId: number, upTo: string, at: string): Promise<void>;
  /** When a lead was first seen; undefined when that has not happened yet. @param delivered the instant of its delivery */
  firstAfter(orderId: number, delivered: string): Promise<string | undefined>;
}

/** After every instant. */
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
