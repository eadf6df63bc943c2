/**
 * Orders: opening, limits, deleting and restoring. Every change of a pool entry states its version, so one of two concurrent changes
 * conflicts. The counters that distribution changes are only conditions here.
 */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import { type Pool, withCapacity } from '#functions/data/distribution/pool-store';
import { hasCapacity, type Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { type Caps, NO_CAPS } from '#functions/data/orders/pace';
import { reservationsOf } from '#functions/data/orders/reservation-store';
import type { TransactionItem } from '#functions/data/table/table';
import { poolEntryOf, requireBuyer } from '#functions/domain/buyers/buyers';
import { checkWeights, poolWithWrittenWeights } from '#functions/domain/buyers/weights';
import { aboutOrder, auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { conflict, invalid, notFound, orderFollowed } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { capsOf, checkCaps, firstPace, paceAfter } from '#functions/domain/orders/caps';
import { attachEntry, returnEntry, takeBackEntry } from '#functions/domain/orders/replacement-ledger';
import { requireNoReservations } from '#functions/domain/orders/reservations';
import { CONFLICT } from '#functions/platform/retry';
import type { Renewal } from '#shared/rules/constants';

export interface Following {
  readonly full: number;
  readonly isNext: (state: Pick<PoolState, 'buyer' | 'poolEntry' | 'current'> & { full: Order }) => boolean;
  readonly written: (order: Order) => readonly TransactionItem[];
}

/**
 * @param input.balance replacements to move from the buyer's balance to the order @param input.follows only for a renewal
 * @throws DomainError 404, 409 while an order is open, 400 for balance, weights or the renewal of a prepay order
 */
export async function createOrder(
  context: Context,
  who: string,
  input: {
    buyerId: string;
    leadLimit: number;
    balance: number;
    caps?: Caps | undefined;
    renewal?: Renewal | undefined;
    follows?: Following | undefined;
  },
): Promise<Order> {
  const { balance, follows } = input;
  let orderId: number | undefined;
  return retryOnConflict(context.runtime, async () => {
    const { buyer, poolEntry, current, pool } = await readPoolState(context, input.buyerId);
    if (current !== undefined && hasCapacity(current))
      throw conflict('order_already_open', 'This buyer already has an open order');
    const followed = follows && (await fullOrder(context, follows, { buyer, poolEntry, current }));
    if (input.renewal === 'auto' && buyer.buyer_type === 'prepay' && follows === undefined)
      refusePrepayRenewal();
    if (balance > buyer.balance_count) {
      const text = `Only ${buyer.balance_count} replacements are in the balance`;
      throw invalid('invalid_balance', text, { balance_amount: text });
    }
    if (balance > 0 && buyer.buyer_type === 'postpay') {
      const text = 'A postpay order delivers no replacements';
      throw invalid('invalid_balance', text, { balance_amount: text });
    }
    const weights = activation(pool, poolEntry, buyer);
    for (const before of [current, followed])
      if (before !== undefined && hasCapacity(await requireNoReservations(context, before))) return CONFLICT;
    orderId ??= await orderStore.nextId(context);
    const now = context.runtime.now();
    const at = now.toISOString();
    const caps = input.caps ?? NO_CAPS;
    checkCaps(caps, now);
    const pace = firstPace(caps, input.leadLimit + balance, poolEntry.schedule, now, followed);
    const order: Order = {
      order_id: orderId,
      buyer: buyer.buyer,
      buyer_order_number: buyer.order_count + 1,
      lead_limit: input.leadLimit,
      leads_received: 0,
      compensated_deletions: 0,
      reimbursement_pending: balance,
      reimbursement_delivered: 0,
      last_sequence: 0,
      reservations: {},
      replacement_reservations: {},
      token: context.runtime.newToken(),
      price_per_lead: buyer.price_per_lead,
      buyer_type: buyer.buyer_type,
      max_claim_days: buyer.max_claim_days,
      min_days_for_ne: buyer.min_days_for_ne,
      decision_days: buyer.decision_days,
      default_decision: buyer.default_decision,
      claim_quota_percent: buyer.claim_quota_percent,
      created_at: at,
      deleted_at: null,
      returned_to_balance: 0,
      total_claims: 0,
      pending_claims: 0,
      approved_claims: 0,
      rejected_claims: 0,
      edited_leads: 0,
      renewal: input.renewal ?? 'none',
      ...(pace && { pace }),
    };
    const balance_count = buyer.balance_count - balance;
    const fields: Partial<Buyer> = {
      active: true,
      order_count: buyer.order_count + 1,
      last_order_id: orderId,
      balance_count,
    };
    const entry = poolEntryOf({ ...buyer, ...fields }, poolEntry);
    return committed(context, order, [
      ...orderStore.created(order, followed),
      ...(follows?.written(order) ?? []),
      buyerStore.changed(buyer, fields),
      poolStore.entryChanged(poolEntry, withCapacity({ ...entry, order_id: orderId }, order, now)),
      ...weights,
      ...(balance > 0 ? [attachEntry({ order, amount: balance, balanceAfter: balance_count, at })] : []),
      auditEntry(context, {
        who,
        action: 'created',
        ...aboutOrder(orderId),
        after: {
          buyer_id: buyer.buyer_id,
          lead_limit: order.lead_limit,
          balance_amount: balance,
          ...(pace && caps),
          ...(order.renewal !== 'none' && { renewal: order.renewal }),
        },
      }),
    ]);
  });
}

interface LimitOptions {
  readonly expected?: Pick<Order, 'lead_limit'> & Partial<Caps>;
  readonly caps?: Partial<Caps> | undefined;
}

/** A higher limit reopens the order; new caps count leads of today and this week. @throws DomainError 404, 400 for limit or end date */
export async function changeLimit(
  context: Context,
  who: string,
  buyerId: string,
  leadLimit: number,
  { expected, caps = {} }: LimitOptions = {},
): Promise<Order> {
  return retryOnConflict(context.runtime, async () => {
    const { buyer, poolEntry, current, pool } = await readPoolState(context, buyerId);
    const order =
      current?.deleted_at === null
        ? current
        : (await orderStore.ofBuyer(context, buyer.buyer)).findLast(isPresent);
    if (order === undefined) throw notFound('Order');
    const capsBefore: Caps = order.pace ?? NO_CAPS;
    requireUnchanged(expected, { lead_limit: order.lead_limit, ...capsOf(capsBefore) });
    if (leadLimit < order.leads_received) throw limitBelow(order);
    if (current !== undefined && current.order_id !== order.order_id)
      await requireNoReservations(context, current);
    const now = context.runtime.now();
    const capsAfter = { ...capsOf(capsBefore), ...caps };
    if (capsAfter.ends_on !== capsBefore.ends_on) checkCaps(capsAfter, now);
    const pace = await paceAfter(context, order, { leadLimit, caps: capsAfter }, poolEntry.schedule, now);
    const after: Order = { ...order, lead_limit: leadLimit, pace };
    // An earlier order may have capacity if one of its leads was deleted after the next order was opened.
    const reopens = hasCapacity(after) && (!hasCapacity(order) || poolEntry.order_id !== order.order_id);
    const fields: Partial<Buyer> = reopens && current?.deleted_at !== null ? { active: true } : {};
    const active = fields.active ?? poolEntry.active;
    const result = await context.table.transact([
      ...orderStore.limitChanged(order, leadLimit, pace),
      // Built from the pool entry: the buyer may have been read before both were changed.
      poolStore.entryChanged(
        poolEntry,
        withCapacity({ ...poolEntry, active, order_id: order.order_id }, after, now),
      ),
      ...(fields.active === undefined
        ? []
        : [buyerStore.changed(buyer, fields), ...activation(pool, poolEntry, buyer)]),
      ...editEntry(context, {
        who,
        action: leadLimit === order.lead_limit ? 'caps_changed' : 'limit_changed',
        ...aboutOrder(order.order_id),
        before: { lead_limit: order.lead_limit, ...capsOf(capsBefore) },
        after: { lead_limit: leadLimit, ...capsAfter },
      }),
    ]);
    if (result.ok) return after;
    const stored = await orderStore.get(context, order.order_id);
    if (stored !== undefined && stored.leads_received > leadLimit) throw limitBelow(stored);
    return CONFLICT;
  });
}

/** Owed replacements return to the balance. @throws DomainError 404, 409 if it is deleted or a replacement is being distributed */
export async function deleteOrder(context: Context, who: string, buyerId: string, orderId: number) {
  return retryOnConflict(context.runtime, async () => {
    const { buyer, poolEntry } = await readPoolState(context, buyerId);
    const found = await orderStore.get(context, orderId);
    if (found === undefined || found.buyer !== buyer.buyer) throw notFound('Order');
    if (found.deleted_at !== null) throw conflict('order_already_deleted', 'This order is already deleted');
    // A replacement that is released at a deleted order would be owed forever and never delivered.
    const order = await requireNoReservations(context, found, replacementReservations);
    const isCurrent = poolEntry.order_id === orderId;
    const owed = order.reimbursement_pending;
    const at = context.runtime.now().toISOString();
    const balanceAfter = buyer.balance_count + owed;
    const fields: Partial<Buyer> = { ...(isCurrent && { active: false }), balance_count: balanceAfter };
    return committed(context, undefined, [
      ...orderStore.deleted(order, at),
      buyerStore.changed(buyer, fields),
      // The pool entry still names the order, so that its reservations are found.
      poolStore.entryChanged(
        poolEntry,
        isCurrent ? { ...poolEntryOf({ ...buyer, ...fields }, poolEntry), has_capacity: false } : poolEntry,
      ),
      ...(owed > 0 ? [returnEntry({ order, amount: owed, balanceAfter, at })] : []),
      auditEntry(context, {
        who,
        action: 'deleted',
        ...aboutOrder(orderId),
        before: { deleted: false },
        after: { deleted: true },
      }),
    ]);
  });
}

/**
 * The replacements that it owed return from the balance, as far as the balance still has them.
 * @throws DomainError 404, 409 while another is open, 400 for the weights
 */
export async function restoreLastDeletedOrder(context: Context, who: string, buyerId: string) {
  return retryOnConflict(context.runtime, async () => {
    const { buyer, poolEntry, current, pool } = await readPoolState(context, buyerId);
    if (current !== undefined && hasCapacity(current))
      throw conflict('order_already_open', 'This buyer already has an open order');
    const order = lastDeleted(await orderStore.ofBuyer(context, buyer.buyer));
    if (order === undefined) throw notFound('Deleted order');
    if (current !== undefined && current.order_id !== order.order_id)
      if (hasCapacity(await requireNoReservations(context, current))) return CONFLICT;
    const owed = Math.min(order.returned_to_balance, buyer.balance_count);
    const after: Order = {
      ...order,
      deleted_at: null,
      reimbursement_pending: order.reimbursement_pending + owed,
      returned_to_balance: 0,
    };
    const now = context.runtime.now();
    const at = now.toISOString();
    const balanceAfter = buyer.balance_count - owed;
    const fields: Partial<Buyer> = { active: true, balance_count: balanceAfter };
    const entry = poolEntryOf({ ...buyer, ...fields }, poolEntry);
    return committed(context, after, [
      ...orderStore.restored(order, owed),
      buyerStore.changed(buyer, fields),
      poolStore.entryChanged(poolEntry, withCapacity({ ...entry, order_id: order.order_id }, after, now)),
      ...activation(pool, poolEntry, buyer),
      ...(owed > 0 ? [takeBackEntry({ order: after, amount: owed, balanceAfter, at })] : []),
      auditEntry(context, {
        who,
        action: 'restored',
        ...aboutOrder(order.order_id),
        before: { deleted: true },
        after: { deleted: false },
      }),
    ]);
  });
}

const isPresent = ({ deleted_at }: Order) => deleted_at === null;

/** Of several orders deleted at the same time, the first. */
function lastDeleted(orders: readonly Order[]): Order | undefined {
  let last: Order | undefined;
  for (const order of orders)
    if (order.deleted_at !== null && order.deleted_at > (last?.deleted_at ?? '')) last = order;
  return last;
}

export async function changeComments(
  context: Context,
  who: string,
  orderId: number,
  comments: string,
  expected?: { readonly comments?: string | undefined },
): Promise<void> {
  return retryOnConflict(context.runtime, async () => {
    const order = await orderStore.get(context, orderId);
    if (order === undefined) throw notFound('Order');
    const stored = (await orderStore.comments(context, [orderId])).get(orderId);
    const before = { comments: stored ?? '' };
    requireUnchanged(expected, before);
    return committed(context, undefined, [
      ...orderStore.commentsSaved(orderId, stored, comments),
      ...editEntry(context, {
        who,
        action: 'comments_changed',
        ...aboutOrder(orderId),
        before,
        after: { comments },
      }),
    ]);
  });
}

async function fullOrder(
  context: Context,
  { full: orderId, isNext }: Following,
  state: Pick<PoolState, 'buyer' | 'poolEntry' | 'current'>,
): Promise<Order> {
  const full = state.current?.order_id === orderId ? state.current : await orderStore.get(context, orderId);
  if (full === undefined || !isNext({ ...state, full })) throw orderFollowed();
  return full;
}

const replacementReservations = (order: Order) =>
  reservationsOf(order).filter(({ lead_type }) => lead_type === 'reimbursement');

interface PoolState {
  readonly buyer: Buyer;
  readonly poolEntry: PoolEntry;
  readonly current: Order | undefined;
  readonly pool: Pool;
}

async function readPoolState(context: Context, buyerId: string): Promise<PoolState> {
  const pool = await poolWithWrittenWeights(context);
  const buyer = await requireBuyer(context, buyerId);
  const poolEntry = pool.entries.find((candidate) => candidate.buyer === buyer.buyer);
  if (poolEntry === undefined) throw notFound('Buyer');
  const current = poolEntry.order_id === null ? undefined : await orderStore.get(context, poolEntry.order_id);
  return { buyer, poolEntry, current, pool };
}

/** Automatic renewal delivers leads before they are paid. @throws DomainError 400 */
export function refusePrepayRenewal(): never {
  const text = 'A prepay order cannot renew automatically because its leads are paid in advance';
  throw invalid('renewal_needs_postpay', text, { renewal: text });
}

/** A buyer that becomes active adds its weight to the sum. @throws DomainError 400 above 100 % */
function activation(pool: PoolState['pool'], poolEntry: PoolEntry, buyer: Buyer): TransactionItem[] {
  if (poolEntry.active && poolEntry.order_id !== null) return [];
  checkWeights(pool, buyer, false);
  return [poolStore.weightsChanged(pool.weightsVersion)];
}

const limitBelow = ({ leads_received }: Order) =>
  invalid(
    'invalid_lead_limit',
    `Invalid lead limit: it cannot be below the ${leads_received} already delivered`,
    { lead_limit: `At least ${leads_received}` },
  );
