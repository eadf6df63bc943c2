/**
 * Orders: reads, and every change that is part of a transaction. The order cache relies on the versions of the shards,
 * so orders are changed only in this file, with `versionsRaised` in the same transaction.
 */

import type { DataContext } from '#functions/data/context';
import { claimQuotaOf, type Order, orderSchema } from '#functions/data/orders/order';
import type { Pace } from '#functions/data/orders/pace';
import {
  noteRemoved,
  type PaceChange,
  type Reservation,
  uncounted,
} from '#functions/data/orders/reservation-store';
import { takeNumber } from '#functions/data/table/counter';
import { newItem, read, readMany } from '#functions/data/table/items';
import { keys, ORDER_SHARDS } from '#functions/data/table/keys';
import { type TransactionItem, type Update, unchanged } from '#functions/data/table/table';
import type { ClaimStatus, DecidedStatus, Renewal } from '#shared/rules/constants';

type Placed = Pick<Order, 'pace'>;

export const get = (context: DataContext, orderId: number): Promise<Order | undefined> =>
  read(context, keys.order(orderId), orderSchema);

export const getMany = (context: DataContext, orderIds: readonly number[]): Promise<(Order | undefined)[]> =>
  readMany(context, orderIds.map(keys.order), orderSchema);

/** The order of each of these entities. */
export const ofEach = (context: DataContext, named: readonly Pick<Order, 'order_id'>[]) =>
  getMany(
    context,
    named.map(({ order_id }) => order_id),
  );

export async function ofBuyer({ table }: DataContext, buyer: number): Promise<Order[]> {
  const pointers = await table.queryAll({
    partition: keys.buyerOrders(buyer),
    sort: { prefix: 'ORDER#' },
    consistent: true,
  });
  const items = await table.getMany(pointers.map((pointer) => keys.order(Number(pointer.order_id))));
  return items.flatMap((item) => (item ? [orderSchema.parse(item)] : []));
}

export async function comments(
  { table }: DataContext,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const items = await table.getMany(orderIds.map(keys.orderComments));
  return new Map(items.flatMap((item) => (item ? [[Number(item.order_id), String(item.comments)]] : [])));
}

export async function byToken(context: DataContext, token: string): Promise<Order | undefined> {
  const pointer = await context.table.get(keys.token(token));
  const order = pointer && (await get(context, Number(pointer.order_id)));
  return order?.token === token ? order : undefined;
}

export const nextId = ({ table }: DataContext): Promise<number> => takeNumber(table, 'order');

type Change = Omit<Update, 'key'>;

/** An order that owes one replacement more or less, as read. */
export interface Owing {
  readonly order: Order;
  readonly by: 1 | -1;
}

const counted = (orderId: number, update: `ADD ${string}`): TransactionItem[] =>
  orderChanged(orderId, { update, condition: 'attribute_exists(pk)', values: { ':one': 1 } });

type Condition = Pick<Update, 'condition' | 'names' | 'values'>;

const renewalAs = ({ renewal }: Pick<Order, 'renewal'>): Condition => ({
  condition:
    renewal === 'none'
      ? '(attribute_not_exists(renewal) OR renewal = :expected_renewal)'
      : 'renewal = :expected_renewal',
  values: { ':expected_renewal': renewal },
});

const reorderAs = ({ reorder }: Pick<Order, 'reorder'>): Condition =>
  reorder === undefined
    ? { condition: 'attribute_not_exists(reorder)' }
    : {
        condition: 'reorder.requested_at = :requested_at AND reorder.#state = :requested_state',
        names: { '#state': 'state' },
        values: { ':requested_at': reorder.requested_at, ':requested_state': reorder.state },
      };

const NOT_FOLLOWED = 'attribute_not_exists(renewed_as) AND deleted_at = :null';

/** Fails unless the order is full, with renewal and reorder as expected. */
function followedBy(expected: Order, next: number): Update {
  const renewal = renewalAs(expected);
  const { condition, values, ...names } = reorderAs(expected);
  return orderUpdate(expected.order_id, {
    update: 'SET renewed_as = :next',
    condition: `${NOT_FOLLOWED} AND leads_received >= lead_limit AND reimbursement_pending = :zero AND ${renewal.condition} AND ${condition}`,
    ...names,
    values: { ':next': next, ':null': null, ':zero': 0, ...renewal.values, ...values },
  });
}

/** @param after the full order that it follows. Fails if another one follows it, or it is no longer full. */
export function created(order: Order, after?: Order): TransactionItem[] {
  return [
    ...(after === undefined ? [] : [followedBy(after, order.order_id)]),
    newItem(keys.order(order.order_id), order),
    newItem(keys.buyerOrder(order.buyer, order.buyer_order_number), { order_id: order.order_id }),
    newItem(keys.token(order.token), { order_id: order.order_id }),
    ...versionsRaised([order.order_id, ...(after === undefined ? [] : [after.order_id])]),
  ];
}

/** Fails if the renewal changed, or the order is deleted or followed. */
export function renewalChanged(expected: Order, renewal: Renewal): TransactionItem[] {
  const { condition, values } = renewalAs(expected);
  return orderChanged(expected.order_id, {
    update: 'SET renewal = :renewal',
    condition: `${NOT_FOLLOWED} AND ${condition}`,
    values: { ':renewal': renewal, ':null': null, ...values },
  });
}

export function reorderChanged(expected: Order, reorder: NonNullable<Order['reorder']>): TransactionItem[] {
  const { condition, values, ...names } = reorderAs(expected);
  return orderChanged(expected.order_id, {
    update: 'SET reorder = :reorder',
    condition: `${NOT_FOLLOWED} AND ${condition}`,
    ...names,
    values: { ':reorder': reorder, ':null': null, ...values },
  });
}

/**
 * Fails if the order has more leads than the new limit; with caps, also if it received or lost a lead since it was read.
 */
export function limitChanged(expected: Order, leadLimit: number, pace: Pace | undefined): TransactionItem[] {
  const values = { ':limit': leadLimit, ':null': null };
  const condition = 'leads_received <= :limit AND deleted_at = :null';
  if (expected.pace === undefined && pace === undefined)
    return orderChanged(expected.order_id, {
      update: 'SET lead_limit = :limit',
      condition: `${condition} AND attribute_not_exists(pace)`,
      values,
    });
  return orderChanged(expected.order_id, {
    update:
      pace === undefined ? 'SET lead_limit = :limit REMOVE pace' : 'SET lead_limit = :limit, pace = :pace',
    // The counts of the day and the week depend on these.
    condition: `${condition} AND last_sequence = :sequence AND leads_received = :received AND reimbursement_delivered = :delivered AND reimbursement_pending = :owed`,
    values: {
      ...values,
      ...(pace && { ':pace': pace }),
      ':sequence': expected.last_sequence,
      ':received': expected.leads_received,
      ':delivered': expected.reimbursement_delivered,
      ':owed': expected.reimbursement_pending,
    },
  });
}

/** Returns owed replacements to the balance. Fails if their number changed, or one of them is reserved. */
export function deleted(expected: Order, at: string): TransactionItem[] {
  return orderChanged(expected.order_id, {
    update: 'SET deleted_at = :at, returned_to_balance = :owed, reimbursement_pending = :zero',
    condition:
      'deleted_at = :null AND reimbursement_pending = :owed AND size(replacement_reservations) = :zero',
    values: { ':at': at, ':owed': expected.reimbursement_pending, ':zero': 0, ':null': null },
  });
}

export function restored(expected: Order, owed: number): TransactionItem[] {
  return orderChanged(expected.order_id, {
    update:
      'SET deleted_at = :null, returned_to_balance = :zero, reimbursement_pending = reimbursement_pending + :owed',
    condition: 'deleted_at = :expected',
    values: { ':null': null, ':zero': 0, ':owed': owed, ':expected': expected.deleted_at },
  });
}

/** @param before undefined if there are none; fails if they changed */
export function commentsSaved(
  orderId: number,
  before: string | undefined,
  comments: string,
): TransactionItem[] {
  const put = { ...keys.orderComments(orderId), order_id: orderId, comments };
  return [{ put, ...unchanged('comments', before) }, ...versionsRaised([orderId])];
}

/** Either token may be empty, which turns the link off. */
export function tokenReplaced(expected: Order, token: string, at: string): TransactionItem[] {
  return [
    ...orderChanged(expected.order_id, {
      update: 'SET #token = :token, link_made_at = :at',
      condition: '#token = :expected',
      names: { '#token': 'token' },
      values: { ':token': token, ':expected': expected.token, ':at': at },
    }),
    ...(expected.token === '' ? [] : [{ delete: keys.token(expected.token) }]),
    ...(token === '' ? [] : [newItem(keys.token(token), { order_id: expected.order_id })]),
  ];
}

/** Fails if the order's claim quota is used up. */
export function claimFiled(expected: Order): TransactionItem[] {
  const update = 'ADD total_claims :one, pending_claims :one';
  const quota = claimQuotaOf(expected);
  if (quota === undefined) return counted(expected.order_id, update);
  return orderChanged(expected.order_id, {
    update,
    // Rejected claims do not count. More rejections or a higher limit than expected only raise the quota.
    condition: 'total_claims < :total AND rejected_claims >= :rejected AND lead_limit >= :limit',
    values: {
      ':one': 1,
      ':total': quota.allowed + expected.rejected_claims,
      ':rejected': expected.rejected_claims,
      ':limit': expected.lead_limit,
    },
  });
}

/** @param credited as read, because the replacement ledger states what it owes afterwards */
export function claimDecided(
  claimed: Order,
  status: DecidedStatus,
  credited: Order | null,
): TransactionItem[] {
  return claimMoved(claimed, 'pending', status, credited && { order: credited, by: 1 });
}

/** @param moved the order that owes one replacement more or less for it, as read */
export function claimReversed(claimed: Order, to: DecidedStatus, moved: Owing | null): TransactionItem[] {
  return claimMoved(claimed, to === 'approved' ? 'rejected' : 'approved', to, moved);
}

export const leadEdited = (orderId: number) => counted(orderId, 'ADD edited_leads :one');

/**
 * A lead leaves the order: an original no longer counts against the limit, a replacement is owed again, and neither
 * counts for its day and week. Its reservation is removed as well, or it would be released again. Fails if
 * an order with caps is in another day than read.
 */
export function assignmentRemoved({ pace }: Placed, lead: Reservation): TransactionItem[] {
  return slotReleased(
    lead,
    lead.lead_type === 'original'
      ? 'leads_received = leads_received - :one'
      : 'reimbursement_delivered = reimbursement_delivered - :one, reimbursement_pending = reimbursement_pending + :one',
    uncounted(pace, lead.sequence),
  );
}

/** An original lead with an approved claim is deleted: it is no longer billed, but still counts against the limit. */
export const compensatedLeadRemoved = (orderId: number) => counted(orderId, 'ADD compensated_deletions :one');

export function replacementRemoved({ pace }: Placed, lead: Reservation): TransactionItem[] {
  const counter = 'reimbursement_delivered = reimbursement_delivered - :one';
  return slotReleased(lead, counter, uncounted(pace, lead.sequence));
}

function claimMoved(
  claimed: Order,
  from: ClaimStatus,
  to: ClaimStatus,
  moved: Owing | null,
): TransactionItem[] {
  const counters = `${from}_claims = ${from}_claims - :one, ${to}_claims = ${to}_claims + :one`;
  if (moved?.order.order_id === claimed.order_id)
    return orderChanged(claimed.order_id, replacementsOwed(moved, `, ${counters}`));
  // Where the replacement goes depends on whether the claimed order is deleted, so that must not have changed.
  const decided = orderUpdate(claimed.order_id, {
    update: `SET ${counters}`,
    condition: 'deleted_at = :deleted',
    values: { ':one': 1, ':deleted': claimed.deleted_at },
  });
  if (moved === null) return [decided, ...versionsRaised([claimed.order_id])];
  return [
    decided,
    orderUpdate(moved.order.order_id, replacementsOwed(moved, '')),
    ...versionsRaised([claimed.order_id, moved.order.order_id]),
  ];
}

function replacementsOwed({ order, by }: Owing, more: string): Change {
  return {
    update: `SET reimbursement_pending = reimbursement_pending + :by${more}`,
    condition: 'reimbursement_pending = :owed AND deleted_at = :null',
    values: {
      ':by': by,
      ':owed': order.reimbursement_pending,
      ':null': null,
      ...(more !== '' && { ':one': 1 }),
    },
  };
}

function slotReleased(lead: Reservation, counters: string, freed: PaceChange): TransactionItem[] {
  const removal = noteRemoved(lead);
  return orderChanged(lead.order_id, {
    update: `SET ${[counters, ...freed.sets].join(', ')} ${removal.text}`,
    condition: ['attribute_exists(pk)', ...freed.conditions].join(' AND '),
    names: removal.names,
    values: { ':one': 1, ...freed.values },
  });
}

const orderUpdate = (orderId: number, change: Change): Update => ({ key: keys.order(orderId), ...change });

function orderChanged(orderId: number, change: Change): TransactionItem[] {
  return [orderUpdate(orderId, change), ...versionsRaised([orderId])];
}

/** A transaction may not name an item twice. */
function versionsRaised(orderIds: readonly number[]): TransactionItem[] {
  const versions = new Map(orderIds.map((id) => [id % ORDER_SHARDS, keys.orderVersion(id)]));
  return [...versions.values()].map((key) => ({ key, update: 'ADD version :one', values: { ':one': 1 } }));
}
