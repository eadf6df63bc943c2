import type { Buyer } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import type { OrderCache } from '#functions/data/orders/order-cache';
import type { OrderStore } from '#functions/data/orders/order-store';
import { buyerRow } from '#functions/domain/common/rows';
import type { BuyerRow } from '#shared/contract/schemas/buyers';

interface ListDeps {
  readonly buyers: Pick<BuyerStore, 'all'>;
  readonly orderCache: Pick<OrderCache, 'some'>;
  readonly pool: Pick<PoolStore, 'read'>;
  readonly publicBaseUrl: string;
}

/** Every buyer with its open order, or else its latest: three queries and one batch get, whatever the number of leads. */
export async function listBuyerRows(deps: ListDeps): Promise<BuyerRow[]> {
  const [buyers, pool] = await Promise.all([deps.buyers.all(), deps.pool.read()]);
  const poolEntries = new Map(pool.entries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
  const orderIds = buyers.map((buyer) => poolEntries.get(buyer.buyer)?.order_id ?? buyer.last_order_id);
  const orders = await deps.orderCache.some(orderIds.filter((id) => id !== null));
  return buyers.map((buyer, at) => {
    const orderId = orderIds[at];
    return buyerRow(
      deps.publicBaseUrl,
      buyer,
      poolEntries.get(buyer.buyer),
      orderId === null || orderId === undefined ? undefined : orders.get(orderId),
    );
  });
}

interface RowDeps {
  readonly orders: Pick<OrderStore, 'get'>;
  readonly pool: Pick<PoolStore, 'entry'>;
  readonly publicBaseUrl: string;
}

export async function rowOf(deps: RowDeps, buyer: Buyer): Promise<BuyerRow> {
  const poolEntry = await deps.pool.entry(buyer.buyer);
  const orderId = poolEntry?.order_id ?? buyer.last_order_id;
  const order = orderId === null ? undefined : await deps.orders.get(orderId);
  return buyerRow(deps.publicBaseUrl, buyer, poolEntry, order);
}
