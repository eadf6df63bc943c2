/** The e-mail with the link to a buyer's statement. It contains no figures, because the linked page may require a code. */
import type { Context } from '#functions/data/context';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as orderStore from '#functions/data/orders/order-store';
import { requireBuyer } from '#functions/domain/buyers/buyers';
import { aboutBuyer, auditEntry } from '#functions/domain/common/audit';
import { conflict } from '#functions/domain/common/errors';
import { isLinkExpired } from '#functions/domain/orders/link-access';

/** @returns the address @throws DomainError 404 for an unknown or deleted buyer, 409 if none of its links works */
export async function sendStatement(context: Context, who: string, buyerId: string): Promise<string> {
  const buyer = await requireBuyer(context, buyerId);
  const now = context.runtime.now();
  const orders = await orderStore.ofBuyer(context, buyer.buyer);
  const order = orders.findLast((one) => one.token !== '' && !isLinkExpired(one, buyer, now));
  if (order === undefined)
    throw conflict('no_working_link', 'None of this buyer’s links works. Regenerate the link of an order.');
  const { buyer_email } = buyer;
  const request = context.runtime.newId();
  await context.table.transact([
    notificationStore.created({ about: 'statement', order_id: order.order_id, request }, now),
    auditEntry(context, { who, action: 'statement_sent', ...aboutBuyer(buyer), after: { buyer_email } }),
  ]);
  return buyer_email;
}
