import * as templateStore from '#functions/data/administration/template-store';
import type { Buyer, ListedEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import {
  type DeliveryProblem,
  deliveryProblemOf,
  templateIdsOf,
} from '#functions/data/buyers/delivery-problem';
import type { AddressState } from '#functions/data/deliveries/address';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Order } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import * as orderStore from '#functions/data/orders/order-store';

export interface BuyerInContext {
  readonly buyer: Buyer;
  readonly poolEntry: ListedEntry | undefined;
  readonly order: Order | undefined;
  readonly emailState: AddressState | undefined;
  readonly deliveryProblem: DeliveryProblem | undefined;
}

const isPresent = ({ deleted_at }: Buyer) => deleted_at === null;

interface ListContext extends AddressContext {
  readonly orderCache: Pick<OrderCache, 'some'>;
}

/** Every buyer with its open order, or else its latest: three queries and three batch gets, whatever the number of leads. */
export async function listBuyers(context: ListContext): Promise<BuyerInContext[]> {
  const [buyers, entries] = await Promise.all([buyerStore.all(context), poolStore.listed(context)]);
  const poolEntries = new Map(entries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
  const orderIds = buyers.map((buyer) => poolEntries.get(buyer.buyer)?.order_id ?? buyer.last_order_id);
  const [orders, emailStates, templates] = await Promise.all([
    context.orderCache.some(orderIds.filter((id) => id !== null)),
    addressStore.addressStates(
      context,
      buyers.map(({ buyer_email }) => buyer_email),
    ),
    templateStore.getMany(context, buyers.filter(isPresent).flatMap(templateIdsOf)),
  ]);
  return buyers.map((buyer, at) => ({
    buyer,
    poolEntry: poolEntries.get(buyer.buyer),
    order: orders.get(orderIds[at] ?? 0),
    emailState: emailStates[at],
    deliveryProblem: isPresent(buyer) ? deliveryProblemOf(buyer, templates) : undefined,
  }));
}

export async function buyerInContext(context: AddressContext, buyer: Buyer): Promise<BuyerInContext> {
  const [poolEntry, emailState, templates] = await Promise.all([
    poolStore.entry(context, buyer.buyer),
    addressStore.addressState(context, buyer.buyer_email),
    templateStore.getMany(context, templateIdsOf(buyer)),
  ]);
  const orderId = poolEntry?.order_id ?? buyer.last_order_id;
  const order = orderId === null ? undefined : await orderStore.get(context, orderId);
  return { buyer, poolEntry, order, emailState, deliveryProblem: deliveryProblemOf(buyer, templates) };
}
