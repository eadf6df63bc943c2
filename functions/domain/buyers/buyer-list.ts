import type { Buyer, ListedEntry } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import type { Order } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import type { OrderStore } from '#functions/data/orders/order-store';

export interface BuyerInContext {
  readonly buyer: Buyer;
  /** Undefined once the buyer is deleted. */
  readonly poolEntry: ListedEntry | undefined;
  /** The pool entry's order, or the latest of a deleted buyer. */
  readonly order: Order | undefined;
}

interface ListDeps {
  readonly buyers: Pick<BuyerStore, 'all'>;
  readonly orderCache: Pick<OrderCache, 'some'>;
  readonly pool: Pick<PoolStore, 'listed'>;
}

/**
 * Every buyer with its open order, or else its latest: three queries and one batch get, whatever the number of leads.
 */
export async function listBuyers(deps: ListDeps): Promise<BuyerInContext[]> {
  const [buyers, entries] = await Promise.all([deps.buyers.all(), deps.pool.listed()]);
  const poolEntries = new Map(entries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
  const orderIds = buyers.map((buyer) => poolEntries.get(buyer.buyer)?.order_id ?? buyer.last_order_id);
  const orders = await deps.orderCache.some(orderIds.filter((id) => id !== null));
  return buyers.map((buyer, at) => {
    const orderId = orderIds[at];
    return {
      buyer,
      poolEntry: poolEntries.get(buyer.buyer),
      order: orderId === null || orderId === undefined ? undefined : orders.get(orderId),
    };
  });
}

interface ContextDeps {
  readonly orders: Pick<OrderStore, 'get'>;
  readonly pool: Pick<PoolStore, 'entry'>;
}

export async function buyerInContext(deps: ContextDeps, buyer: Buyer): Promise<BuyerInContext> {
  const poolEntry = await deps.pool.entry(buyer.buyer);
  const orderId = poolEntry?.order_id ?? buyer.last_order_id;
  const order = orderId === null ? undefined : await deps.orders.get(orderId);
  return { buyer, poolEntry, order };
}
