/**
 * The secret links to orders. Every order has one; admins renew it or switch it off, whatever the state of order and buyer. A link
 * that was replaced or switched off is deleted and answers like one that never existed.
 */

import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { type BuyerContext, deleteUnchangedBuyer, requireBuyer } from '#functions/domain/buyers/buyers';
import { aboutOrder, auditEntry } from '#functions/domain/common/audit';
import { notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';

/** Renews the link of the open order, or else of the latest. @throws DomainError 404 for an unknown buyer or one that never had an order */
export async function regenerateToken(context: Context, who: string, buyerId: string): Promise<Order> {
  const buyer = await buyerStore.byId(context, buyerId);
  if (buyer === undefined) throw notFound('Buyer');
  const poolEntry = await poolStore.entry(context, buyer.buyer);
  const orderId = poolEntry?.order_id ?? buyer.last_order_id;
  if (orderId === null) throw notFound('Order');
  return regenerateLink(context, who, orderId);
}

/** A new link for an order, also if its link is switched off; the old one stops working at once. @throws DomainError 404 */
export function regenerateLink(context: Context, who: string, orderId: number): Promise<Order> {
  return replaceToken(context, who, orderId, context.runtime.newToken());
}

export function switchOffLink(context: Context, who: string, orderId: number): Promise<Order> {
  return replaceToken(context, who, orderId, NO_TOKEN);
}

/**
 * Switches off the links of all orders of a buyer, then deletes the buyer, so that an interrupted call can be repeated. If an order
 * is opened meanwhile, the deletion conflicts and starts again, so the link of that order is also switched off.
 * @throws DomainError 404
 */
export async function deleteBuyerAndLinks(context: BuyerContext, who: string, buyerId: string) {
  return retryOnConflict(context.runtime, async () => {
    const buyer = await requireBuyer(context, buyerId);
    for (const { order_id, token } of await orderStore.ofBuyer(context, buyer.buyer))
      if (token !== NO_TOKEN) await switchOffLink(context, who, order_id);
    return deleteUnchangedBuyer(context, who, buyer);
  });
}

/** Replaces the token of an order whose link is switched off. */
const NO_TOKEN = '';

async function replaceToken(context: Context, who: string, orderId: number, token: string): Promise<Order> {
  return retryOnConflict(context.runtime, async () => {
    const order = await orderStore.get(context, orderId);
    if (order === undefined) throw notFound('Order');
    if (order.token === NO_TOKEN && token === NO_TOKEN) return order;
    const at = context.runtime.now().toISOString();
    return committed(context, { ...order, token, link_made_at: at }, [
      ...orderStore.tokenReplaced(order, token, at),
      auditEntry(context, {
        who,
        action: token === NO_TOKEN ? 'token_switched_off' : 'token_renewed',
        ...aboutOrder(orderId),
        before: { link_active: order.token !== NO_TOKEN },
        after: { link_active: token !== NO_TOKEN },
      }),
    ]);
  });
}
