import type { TemplateStore } from '#functions/data/administration/template-store';
import type { Buyer, ListedEntry } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import {
  type DeliveryProblem,
  deliveryProblemOf,
  templateIdsOf,
} from '#functions/data/buyers/delivery-problem';
import type { AddressState } from '#functions/data/deliveries/address';
import type { AddressStore } from '#functions/data/deliveries/address-store';
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
  /** What is known against its e-mail address. */
  readonly emailState: AddressState | undefined;
  /** What keeps leads from it; undefined once it is deleted, too. */
  readonly deliveryProblem: DeliveryProblem | undefined;
}

const isPresent = ({ deleted_at }: Buyer) => deleted_at === null;

interface ListDeps {
  readonly buyers: Pick<BuyerStore, 'all'>;
  readonly orderCache: Pick<OrderCache, 'some'>;
  readonly pool: Pick<PoolStore, 'listed'>;
  readonly addresses: Pick<AddressStore, 'addressStates'>;
  readonly templates: Pick<TemplateStore, 'getMany'>;
}

/**
 * Every buyer with its open order, or else its latest: three queries and three batch gets, whatever the number of leads.
 * Of the templates only those in use are read.
 */
export async function listBuyers(deps: ListDeps): Promise<BuyerInContext[]> {
  const [buyers, entries] = await Promise.all([deps.buyers.all(), deps.pool.listed()]);
  const poolEntries = new Map(entries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
  const orderIds = buyers.map((buyer) => poolEntries.get(buyer.buyer)?.order_id ?? buyer.last_order_id);
  const [orders, emailStates, templates] = await Promise.all([
    deps.orderCache.some(orderIds.filter((id) => id !== null)),
    deps.addresses.addressStates(buyers.map(({ buyer_email }) => buyer_email)),
    deps.templates.getMany(buyers.filter(isPresent).flatMap(templateIdsOf)),
  ]);
  return buyers.map((buyer, at) => {
    const orderId = orderIds[at];
    return {
      buyer,
      poolEntry: poolEntries.get(buyer.buyer),
      order: orderId === null || orderId === undefined ? undefined : orders.get(orderId),
      emailState: emailStates[at],
      deliveryProblem: isPresent(buyer) ? deliveryProblemOf(buyer, templates) : undefined,
    };
  });
}

interface ContextDeps {
  readonly orders: Pick<OrderStore, 'get'>;
  readonly pool: Pick<PoolStore, 'entry'>;
  readonly addresses: Pick<AddressStore, 'addressState'>;
  readonly templates: Pick<TemplateStore, 'getMany'>;
}

/** @param buyer one that is not deleted */
export async function buyerInContext(deps: ContextDeps, buyer: Buyer): Promise<BuyerInContext> {
  const [poolEntry, emailState, templates] = await Promise.all([
    deps.pool.entry(buyer.buyer),
    deps.addresses.addressState(buyer.buyer_email),
    deps.templates.getMany(templateIdsOf(buyer)),
  ]);
  const orderId = poolEntry?.order_id ?? buyer.last_order_id;
  const order = orderId === null ? undefined : await deps.orders.get(orderId);
  return { buyer, poolEntry, order, emailState, deliveryProblem: deliveryProblemOf(buyer, templates) };
}
