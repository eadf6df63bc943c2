/**
 * The letter with the link to a buyer's statement. It carries the link and no figure: behind it they are those of the moment,
 * and whoever opens it needs the code where the buyer asks for one.
 */
import type { NoticeStore } from '#functions/data/deliveries/notice-store';
import type { OrderStore } from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import { type BuyerDeps, requireBuyer } from '#functions/domain/buyers/buyers';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict } from '#functions/domain/common/errors';
import { isLinkExpired } from '#functions/domain/orders/link-access';
import type { Runtime } from '#functions/runtime';

export interface StatementLetterDeps extends Pick<BuyerDeps, 'buyers'> {
  readonly table: Pick<Table, 'transact'>;
  readonly orders: Pick<OrderStore, 'ofBuyer'>;
  readonly notices: Pick<NoticeStore, 'created'>;
  readonly runtime: Runtime;
}

/**
 * Has the link of the buyer's latest order that has one sent to the buyer's address.
 * @returns the address
 * @throws DomainError 404 for an unknown or deleted buyer, 409 where none of its links works
 */
export async function sendStatement(
  deps: StatementLetterDeps,
  who: string,
  buyerId: string,
): Promise<string> {
  const buyer = await requireBuyer(deps, buyerId);
  const now = deps.runtime.now();
  const orders = await deps.orders.ofBuyer(buyer.buyer);
  const order = orders.findLast((one) => one.token !== '' && !isLinkExpired(one, buyer, now));
  if (order === undefined)
    throw conflict('no_working_link', 'None of this buyer’s links works. Please renew the link of an order.');
  await deps.table.transact([
    deps.notices.created(
      { about: 'statement', order_id: order.order_id, request: deps.runtime.newId() },
      now,
    ),
    auditEntry(deps, {
      who,
      action: 'statement_sent',
      entity: 'buyer',
      entityId: buyer.buyer,
      label: buyer.buyer_id,
      after: { buyer_email: buyer.buyer_email },
    }),
  ]);
  return buyer.buyer_email;
}
