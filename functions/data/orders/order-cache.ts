/**
 * Orders for lists and statistics without reading thousands of them each time. An order with capacity, or with a noted
 * reservation, is always read again, because distribution changes its counters at any time. Any other order changes
 * only by a write that raises the version of its shard; a shard whose version changed is dropped. See
 * `docs/adr/0008-lists-and-search.md`.
 */
import { hasCapacity, type Order, orderSchema } from '#functions/data/orders/order';
import { reservationsOf } from '#functions/data/orders/reservation-store';
import { keys, ORDER_SHARDS } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

export interface OrderCache {
  /** Deleted orders included; comments by order. */
  all(): Promise<{ readonly orders: Order[]; readonly comments: ReadonlyMap<number, string> }>;
  some(orderIds: readonly number[]): Promise<ReadonlyMap<number, Order>>;
}

/** Everything in it was read after its version. */
interface CachedShard {
  readonly version: number;
  readonly begunAt: number;
  whole: boolean;
  readonly orders: Map<number, Order>;
  readonly comments: Map<number, string>;
}

/** After this a shard is read again whatever its version, because an item may have been changed by hand. */
const MAX_AGE_MS = 10 * 60_000;

export function createOrderCache(table: Table, now: () => Date): OrderCache {
  let cachedShards: readonly CachedShard[] = [];
  const cachedShardOf = (orderId: number): CachedShard | undefined => cachedShards[orderId % ORDER_SHARDS];

  const readVersions = async (): Promise<ReadonlyMap<number, number>> => {
    const items = await table.queryAll({ partition: keys.orderVersions(), consistent: true });
    return new Map(items.map((item) => [Number(item.sk), Number(item.version)]));
  };

  const readOrders = async (orderIds: readonly number[]): Promise<void> => {
    // A shard may be replaced meanwhile. Orders read before its successor's version must not enter the successor.
    const targets = orderIds.map(cachedShardOf);
    const items = await table.getMany(orderIds.map((id) => keys.order(id)));
    for (const [at, orderId] of orderIds.entries())
      if (items[at] !== undefined) targets[at]?.orders.set(orderId, orderSchema.parse(items[at]));
  };

  const readShard = async (cachedShard: CachedShard, shard: number): Promise<void> => {
    const items = await table.queryAll({ partition: keys.orderShard(shard), consistent: true });
    for (const item of items) {
      const orderId = Number(item.order_id);
      if (String(item.sk).endsWith('#COMMENTS')) cachedShard.comments.set(orderId, String(item.comments));
      else cachedShard.orders.set(orderId, orderSchema.parse(item));
    }
    cachedShard.whole = true;
  };

  /** Afterwards everything cached is current. */
  const catchUp = async (): Promise<void> => {
    const unsettled = cachedShards.flatMap(({ orders }) => [...orders.values()].filter(isUnsettled));
    const [versions] = await Promise.all([
      readVersions(),
      readOrders(unsettled.map(({ order_id }) => order_id)),
    ]);
    const begunAt = now().getTime();
    cachedShards = Array.from({ length: ORDER_SHARDS }, (_, shard): CachedShard => {
      const version = versions.get(shard) ?? 0;
      const cachedShard = cachedShards[shard];
      return cachedShard?.version === version && begunAt - cachedShard.begunAt < MAX_AGE_MS
        ? cachedShard
        : { version, begunAt, whole: false, orders: new Map(), comments: new Map() };
    });
  };

  return {
    async all() {
      await catchUp();
      const caughtUp = cachedShards;
      await Promise.all(
        caughtUp.map(async (cachedShard, shard) =>
          cachedShard.whole ? undefined : readShard(cachedShard, shard),
        ),
      );
      return {
        orders: caughtUp.flatMap(({ orders }) => [...orders.values()]),
        comments: new Map(caughtUp.flatMap(({ comments }) => [...comments])),
      };
    },

    async some(orderIds) {
      await catchUp();
      const caughtUp = cachedShards;
      await readOrders(orderIds.filter((id) => cachedShardOf(id)?.orders.has(id) !== true));
      return new Map(
        orderIds.flatMap((id) => {
          const order = caughtUp[id % ORDER_SHARDS]?.orders.get(id);
          return order === undefined ? [] : [[id, order] as const];
        }),
      );
    },
  };
}

function isUnsettled(order: Order): boolean {
  return hasCapacity(order) || reservationsOf(order).length > 0;
}
