/**
 * Every order, for lists and statistics, without reading ten thousand of them each time. A process remembers what it
 * read and asks again only for what may have changed since:
 *
 * - An order that has room, or notes a held place, is read again: distribution moves its counters at any time.
 * - Any other order changes only by a write that raises the version of its shard (`OrderStore.changed`), because taking
 *   a place demands room and giving one back demands its note. A shard of another version is read again as a whole.
 *
 * See `docs/adr/0011-lists-at-size.md`.
 */
import { hasRoom, type Order, orderSchema } from '#functions/data/entities/order';
import { keys, ORDER_SHARDS } from '#functions/data/keys';
import type { Table } from '#functions/data/table';

export interface OrderBook {
  /** Every order as it stands, deleted ones included, with the comments of those that have some. */
  read(): Promise<{ readonly orders: Order[]; readonly comments: ReadonlyMap<number, string> }>;
}

/** What is remembered of one shard. */
interface Shelf {
  readonly version: number;
  readonly readAt: number;
  readonly orders: Map<number, Order>;
  readonly comments: ReadonlyMap<number, string>;
}

/** Milliseconds, after which a shard is read again whatever its version: somebody may have written by hand. */
const MAX_AGE = 10 * 60_000;

export function createOrderBook(table: Table, now: () => Date): OrderBook {
  const shelves = new Map<number, Shelf>();

  const readVersions = async (): Promise<ReadonlyMap<number, number>> => {
    const items = await table.queryAll({ partition: keys.orderVersions(), consistent: true });
    return new Map(items.map((item) => [Number(item.sk), Number(item.version)]));
  };

  const readShard = async (shard: number, version: number): Promise<void> => {
    const readAt = now().getTime();
    const items = await table.queryAll({ partition: keys.orderShard(shard), consistent: true });
    const orders = new Map<number, Order>();
    const comments = new Map<number, string>();
    for (const item of items) {
      if (String(item.sk).endsWith('#COMMENTS')) comments.set(Number(item.order_id), String(item.comments));
      else orders.set(Number(item.order_id), orderSchema.parse(item));
    }
    shelves.set(shard, { version, readAt, orders, comments });
  };

  const refreshUnsettled = async (): Promise<void> => {
    const unsettled = [...shelves.values()].flatMap((shelf) =>
      [...shelf.orders.values()].filter(isUnsettled).map(({ order_id }) => ({ shelf, order_id })),
    );
    const items = await table.getMany(unsettled.map(({ order_id }) => keys.order(order_id)));
    for (const [at, { shelf, order_id }] of unsettled.entries())
      if (items[at] !== undefined) shelf.orders.set(order_id, orderSchema.parse(items[at]));
  };

  return {
    async read() {
      const [versions] = await Promise.all([readVersions(), refreshUnsettled()]);
      const oldest = now().getTime() - MAX_AGE;
      await Promise.all(
        Array.from({ length: ORDER_SHARDS }, async (_, shard) => {
          const version = versions.get(shard) ?? 0;
          const shelf = shelves.get(shard);
          if (shelf === undefined || shelf.version !== version || shelf.readAt < oldest)
            await readShard(shard, version);
        }),
      );
      const all = [...shelves.values()];
      return {
        orders: all.flatMap(({ orders }) => [...orders.values()]),
        comments: new Map(all.flatMap(({ comments }) => [...comments])),
      };
    },
  };
}

/** Whether its counters may move without a new version of its shard. */
function isUnsettled(order: Order): boolean {
  return (
    hasRoom(order) || Object.keys(order.held).length > 0 || Object.keys(order.held_replacements).length > 0
  );
}
