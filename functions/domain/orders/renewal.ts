/**
 * Renewal: a full order is followed by the next one, automatically or after the buyer's request and an admin's confirmation. The
 * worker of the queue `redistribute` opens it when the pool shows a full order, or the reconciliation if that message was lost.
 * The transaction of `createOrder` records the next order on the full one, so there is only one.
 */

import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { hasCapacity, isFilledTo, type Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import type { TransactionItem } from '#functions/data/table/table';
import { aboutOrder, auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import {
  conflict,
  DomainError,
  notFound,
  orderFollowed,
  tooManyAttempts,
} from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { capsOf } from '#functions/domain/orders/caps';
import { type LinkVisitor, requireOpen } from '#functions/domain/orders/link-access';
import { createOrder, refusePrepayRenewal } from '#functions/domain/orders/orders';
import { errorFields } from '#functions/platform/logger';
import { REORDER_FROM_PERCENT, type Renewal } from '#shared/rules/constants';

function nextLimit(order: Order | undefined): number | undefined {
  if (order === undefined || order.deleted_at !== null || order.renewed_as !== undefined) return undefined;
  if (hasCapacity(order)) return undefined;
  if (order.reorder?.state === 'confirmed') return order.reorder.lead_limit;
  return order.renewal === 'auto' ? order.lead_limit : undefined;
}

/** The order to follow. An earlier order that was opened again has been followed already: then it is the buyer's latest one. */
const toFollow = async (context: Context, current: Order): Promise<Order | undefined> => {
  if (current.renewed_as === undefined) return current;
  const last = (await buyerStore.get(context, current.buyer))?.last_order_id;
  return last === undefined || last === null ? undefined : orderStore.get(context, last);
};

/** Without a confirmed request only postpaid orders are renewed, because prepaid leads must be paid before delivery. */
const mayRenew = (order: Order, { buyer_type }: Pick<Order, 'buyer_type'>) =>
  order.reorder?.state === 'confirmed' || buyer_type === 'postpay';

const OVER: ReadonlySet<string> = new Set(['order_followed', 'order_already_open', 'buyer_not_found']);

/** Safe to repeat and to run in parallel. @returns undefined if there is none to open @throws DomainError 409 `order_in_use` */
export async function renewOrder(context: Context, buyer: number): Promise<Order | undefined> {
  const entry = await poolStore.entry(context, buyer);
  if (entry === undefined || entry.order_id === null || entry.retired_at !== undefined) return undefined;
  const current = await orderStore.get(context, entry.order_id);
  if (current === undefined || hasCapacity(current)) return undefined;
  const full = await toFollow(context, current);
  const limit = nextLimit(full);
  if (full === undefined || limit === undefined) return undefined;
  try {
    return await createOrder(context, 'system', {
      buyerId: entry.buyer_id,
      leadLimit: limit,
      balance: 0,
      // The end date applied to the full order only.
      caps: full.pace && { ...capsOf(full.pace), ends_on: null },
      renewal: full.renewal,
      follows: {
        full: full.order_id,
        isNext: ({ buyer: now, poolEntry, full: expected }) =>
          poolEntry.active &&
          poolEntry.order_id === current.order_id &&
          (current.order_id === full.order_id || now.last_order_id === full.order_id) &&
          nextLimit(expected) === limit &&
          mayRenew(expected, now),
        written: (order) => [
          notificationStore.created(
            { about: 'order_renewed', order_id: order.order_id, request: `renewed-${order.order_id}` },
            context.runtime.now(),
          ),
        ],
      },
    });
  } catch (error) {
    if (error instanceof DomainError && OVER.has(error.code)) return undefined;
    throw error;
  }
}

export async function renewOrders(context: Context): Promise<number> {
  const { entries } = await poolStore.read(context);
  let renewed = 0;
  for (const { buyer, active, has_capacity } of entries) {
    if (!active || has_capacity) continue;
    try {
      if ((await renewOrder(context, buyer)) !== undefined) renewed += 1;
    } catch (error) {
      context.runtime.log.warn('order could not be renewed', { buyer, ...errorFields(error) });
    }
  }
  return renewed;
}

async function requireCurrent(context: Context, orderId: number): Promise<Order> {
  const order = await orderStore.get(context, orderId);
  if (order === undefined || order.deleted_at !== null) throw notFound('Order');
  const buyer = await buyerStore.get(context, order.buyer);
  if (order.renewed_as !== undefined || buyer?.last_order_id !== orderId) throw orderFollowed();
  return order;
}

/** @throws DomainError 404, 400 for automatic renewal of a prepay order, 409 if another order has followed it */
export async function changeRenewal(
  context: Context,
  who: string,
  orderId: number,
  renewal: Renewal,
  expected?: { readonly renewal?: Renewal | undefined },
): Promise<Order> {
  return retryOnConflict(context.runtime, async () => {
    const order = await requireCurrent(context, orderId);
    const before = { renewal: order.renewal };
    requireUnchanged(expected, before);
    if (renewal === 'auto' && order.buyer_type === 'prepay') refusePrepayRenewal();
    return committed(context, { ...order, renewal }, [
      ...orderStore.renewalChanged(order, renewal),
      ...editEntry(context, { who, action: 'updated', ...aboutOrder(orderId), before, after: { renewal } }),
    ]);
  });
}

const REQUEST_AGAIN_AFTER_MS = 24 * 3_600_000;

export function reorderOf(
  order: Order,
  { last_order_id, deleted_at }: Pick<Buyer, 'last_order_id' | 'deleted_at'>,
):
  | { readonly state: 'possible' | NonNullable<Order['reorder']>['state']; readonly lead_limit: number }
  | undefined {
  const isCurrent = last_order_id === order.order_id && order.renewed_as === undefined;
  if (!isCurrent || order.deleted_at !== null || deleted_at !== null) return undefined;
  if (order.reorder !== undefined) return order.reorder;
  return order.renewal === 'ask' && isFilledTo(order, REORDER_FROM_PERCENT)
    ? { state: 'possible', lead_limit: order.lead_limit }
    : undefined;
}

/**
 * @param notifications writes that notify admins, in the same transaction
 * @throws DomainError 404, 403 as for every call by link; 409 if impossible or already requested; `too_many` within a day of a refusal
 */
export async function requestReorder(
  context: Context,
  visitor: LinkVisitor,
  token: string,
  leadLimit: number | undefined,
  notifications: (order: Order, buyerId: string) => Promise<readonly TransactionItem[]>,
): Promise<Order> {
  const { who } = visitor;
  return retryOnConflict(context.runtime, async () => {
    const order = await orderStore.byToken(context, token);
    if (order === undefined) throw notFound('Link');
    const now = context.runtime.now();
    const buyer = await requireOpen(order, await buyerStore.get(context, order.buyer), visitor, now);
    const offered = reorderOf(order, buyer);
    if (offered?.state === 'open' || offered?.state === 'confirmed')
      throw conflict('already_requested', 'Sie haben schon nachbestellt.');
    if (offered === undefined || order.renewal !== 'ask')
      throw conflict('no_reorder', 'Zu dieser Liste kann nicht nachbestellt werden.');
    const again = order.reorder && Date.parse(order.reorder.requested_at) + REQUEST_AGAIN_AFTER_MS;
    if (again !== undefined && now.getTime() < again)
      throw tooManyAttempts('Bitte fragen Sie frühestens morgen noch einmal.', again - now.getTime());
    const reorder = {
      lead_limit: leadLimit ?? order.lead_limit,
      requested_at: now.toISOString(),
      state: 'open',
      decided_at: null,
    } as const;
    const after = { lead_limit: reorder.lead_limit };
    return committed(context, { ...order, reorder }, [
      ...orderStore.reorderChanged(order, reorder),
      ...(await notifications({ ...order, reorder }, buyer.buyer_id)),
      auditEntry(context, { who, action: 'reorder_requested', ...aboutOrder(order.order_id), after }),
    ]);
  });
}

/** Once confirmed, the next order is opened as soon as this one is full. @throws DomainError 404, 409 without an open request */
export async function decideReorder(
  context: Context,
  who: string,
  orderId: number,
  state: 'confirmed' | 'declined',
): Promise<{ readonly order: Order; readonly next: Order | undefined }> {
  const order = await retryOnConflict(context.runtime, async () => {
    const expected = await requireCurrent(context, orderId);
    if (expected.reorder?.state !== 'open')
      throw conflict('reorder_decided', 'There is no open request for this order');
    const reorder = { ...expected.reorder, state, decided_at: context.runtime.now().toISOString() };
    const after = { lead_limit: reorder.lead_limit };
    return committed(context, { ...expected, reorder }, [
      ...orderStore.reorderChanged(expected, reorder),
      auditEntry(context, { who, action: `reorder_${state}`, ...aboutOrder(orderId), after }),
    ]);
  });
  return { order, next: state === 'confirmed' ? await renewOrder(context, order.buyer) : undefined };
}
