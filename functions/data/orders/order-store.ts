/** Orders and their places. The counters of an order are the only truth about its room. */

import { type Order, orderSchema } from '#functions/data/orders/order';
import { keys, ORDER_SHARDS } from '#functions/data/table/keys';
import type { Table, TransactionItem, Update, Written } from '#functions/data/table/table';
import type { LeadType } from '#shared/contract/constants';

export type ReserveResult =
  | {
      readonly reserved: true;
      readonly order: Order;
      readonly sequence: number;
      readonly lead_type: LeadType;
    }
  /** No room, or no such order. */
  | { readonly reserved: false; readonly order: Order | undefined };

/** A place that is held by one distribution attempt of a lead. */
export interface Reservation {
  readonly order_id: number;
  readonly lead_id: string;
  readonly distribution_attempt: number;
  readonly sequence: number;
  readonly lead_type: LeadType;
}

/** An update of an order, as DynamoDB writes it. */
export type OrderChange = Omit<Update, 'key'> & { readonly order_id: number };

export interface OrderStore {
  get(orderId: number): Promise<Order | undefined>;
  getMany(orderIds: readonly number[]): Promise<(Order | undefined)[]>;
  /** Every order of a buyer, the first one first. */
  ofBuyer(buyer: number): Promise<Order[]>;
  comments(orderIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  commentsSaved(orderId: number, comments: string): TransactionItem[];
  /**
   * Changes of orders for one transaction. Whatever is written to an order goes through here, but for the places, which
   * only orders with room or with places held have: by the versions raised with it, lists know what to read again.
   */
  changed(...changes: readonly OrderChange[]): TransactionItem[];
  byToken(token: string): Promise<Order | undefined>;
  /** A new number from a counter; numbers are never given twice. */
  nextId(): Promise<number>;
  /**
   * Takes one place for a distribution attempt: a replacement where the order owes one, else one of the limit. Repeated for the same
   * distribution attempt it answers with the same place.
   */
  reserve(
    orderId: number,
    attempt: { lead_id: string; distribution_attempt: number },
  ): Promise<ReserveResult>;
  /** Gives a held place back. @returns the order as it then is, or undefined when the place was not held any more */
  release(reservation: Reservation): Promise<Order | undefined>;
  /** The lead of this place has landed; the note of it may go with the next write to the order. */
  confirm(reservation: Reservation): void;
  /** Removes notes of places whose leads have landed. */
  removeConfirmed(orderId: number, reservations: readonly Reservation[]): Promise<void>;
}

const MAP = { original: 'reservations', reimbursement: 'replacement_reservations' } as const satisfies Record<
  LeadType,
  string
>;
/** A place's key in the map of held places. */
const reservationKey = (attempt: { lead_id: string; distribution_attempt: number }) =>
  `${attempt.lead_id}.${attempt.distribution_attempt}`;
/** More would only make the expression longer than it is worth; the reconciliation clears what is left. */
const FORGET_AT_ONCE = 16;

export function createOrderStore(table: Table): OrderStore {
  /** Places whose leads have landed, by order; removed on the way with the next place taken. */
  const confirmed = new Map<number, Reservation[]>();

  const readComments = async (orderIds: readonly number[]) => {
    const items = await table.getMany(orderIds.map((id) => keys.orderComments(id)));
    return new Map(
      items.flatMap((item) => (item ? [[Number(item.order_id), String(item.comments)] as const] : [])),
    );
  };

  const take = async (
    orderId: number,
    attempt: { lead_id: string; distribution_attempt: number },
    leadType: LeadType,
  ): Promise<Written> => {
    const forget = confirmed.get(orderId)?.splice(0, FORGET_AT_ONCE) ?? [];
    const names: Record<string, string> = { '#key': reservationKey(attempt) };
    const removals = forget.map((reservation, at) => {
      names[`#done${at}`] = reservationKey(reservation);
      return `${MAP[reservation.lead_type]}.#done${at}`;
    });
    const counters =
      leadType === 'original'
        ? 'leads_received = leads_received + :one'
        : 'reimbursement_delivered = reimbursement_delivered + :one, reimbursement_pending = reimbursement_pending - :one';
    const capacity =
      leadType === 'original'
        ? 'leads_received < lead_limit AND reimbursement_pending = :zero'
        : 'reimbursement_pending > :zero';
    const written = await table.update({
      key: keys.order(orderId),
      update: `SET ${counters}, last_sequence = last_sequence + :one, ${MAP[leadType]}.#key = last_sequence + :one${
        removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : ''
      }`,
      condition: `attribute_exists(pk) AND deleted_at = :null AND ${capacity} AND attribute_not_exists(reservations.#key) AND attribute_not_exists(replacement_reservations.#key)`,
      names,
      values: { ':one': 1, ':zero': 0, ':null': null },
    });
    if (!written.ok && forget.length > 0)
      confirmed.set(orderId, [...(confirmed.get(orderId) ?? []), ...forget]);
    return written;
  };

  return {
    async get(orderId) {
      const item = await table.get(keys.order(orderId));
      return item && orderSchema.parse(item);
    },

    async getMany(orderIds) {
      const items = await table.getMany(orderIds.map((id) => keys.order(id)));
      return items.map((item) => item && orderSchema.parse(item));
    },

    async ofBuyer(buyer) {
      const pointers = await table.queryAll({
        partition: keys.buyerOrders(buyer),
        sort: { prefix: 'ORDER#' },
        consistent: true,
      });
      const items = await table.getMany(pointers.map((pointer) => keys.order(Number(pointer.order_id))));
      return items.flatMap((item) => (item ? [orderSchema.parse(item)] : []));
    },

    comments: readComments,

    commentsSaved(orderId, comments) {
      return [
        { put: { ...keys.orderComments(orderId), order_id: orderId, comments } },
        ...versionsRaised([orderId]),
      ];
    },

    changed: ordersChanged,

    async byToken(token) {
      const pointer = await table.get(keys.token(token));
      if (pointer === undefined) return undefined;
      const item = await table.get(keys.order(Number(pointer.order_id)));
      const order = item && orderSchema.parse(item);
      return order?.token === token ? order : undefined;
    },

    async nextId() {
      const written = await table.update({
        key: keys.counter('order'),
        update: 'ADD #value :one',
        names: { '#value': 'value' },
        values: { ':one': 1 },
      });
      return Number(written.item?.value);
    },

    async reserve(orderId, attempt) {
      let leadType: LeadType = 'original';
      // At most: original, then a replacement that turned out to be owed, then original again if another was faster.
      for (let tries = 0; tries < 4; tries += 1) {
        const written = await take(orderId, attempt, leadType);
        if (!written.ok && written.item === undefined) return { reserved: false, order: undefined };
        const order = orderSchema.parse(written.item);
        const reservations = reservationBy(order, attempt);
        if (reservations !== undefined) return { reserved: true, order, ...reservations };
        const next: LeadType = order.reimbursement_pending > 0 ? 'reimbursement' : 'original';
        const capacity =
          order.deleted_at === null &&
          (order.reimbursement_pending > 0 || order.leads_received < order.lead_limit);
        if (!capacity) return { reserved: false, order };
        leadType = next;
      }
      return { reserved: false, order: undefined };
    },

    async release(reservation) {
      const written = await table.update({
        key: keys.order(reservation.order_id),
        update:
          reservation.lead_type === 'original'
            ? 'SET leads_received = leads_received - :one REMOVE reservations.#key'
            : 'SET reimbursement_delivered = reimbursement_delivered - :one, reimbursement_pending = reimbursement_pending + :one REMOVE replacement_reservations.#key',
        condition: `attribute_exists(${MAP[reservation.lead_type]}.#key)`,
        names: { '#key': reservationKey(reservation) },
        values: { ':one': 1 },
      });
      return written.ok ? orderSchema.parse(written.item) : undefined;
    },

    confirm(reservation) {
      const reservations = confirmed.get(reservation.order_id);
      if (reservations === undefined) confirmed.set(reservation.order_id, [reservation]);
      else reservations.push(reservation);
    },

    async removeConfirmed(orderId, reservations) {
      for (let start = 0; start < reservations.length; start += FORGET_AT_ONCE) {
        const names: Record<string, string> = {};
        const paths = reservations.slice(start, start + FORGET_AT_ONCE).map((reservation, at) => {
          names[`#done${at}`] = reservationKey(reservation);
          return `${MAP[reservation.lead_type]}.#done${at}`;
        });
        await table.update({
          key: keys.order(orderId),
          update: `REMOVE ${paths.join(', ')}`,
          condition: 'attribute_exists(pk)',
          names,
        });
      }
    },
  };
}

function reservationBy(
  order: Order,
  attempt: { lead_id: string; distribution_attempt: number },
): { sequence: number; lead_type: LeadType } | undefined {
  const key = reservationKey(attempt);
  const original = order.reservations[key];
  if (original !== undefined) return { sequence: original, lead_type: 'original' };
  const replacement = order.replacement_reservations[key];
  return replacement === undefined ? undefined : { sequence: replacement, lead_type: 'reimbursement' };
}

/** Every place of an order that is noted as held. */
export function reservationsOf(order: Order): Reservation[] {
  const from = (reservations: Readonly<Record<string, number>>, leadType: LeadType): Reservation[] =>
    Object.entries(reservations).map(([key, sequence]) => {
      const dot = key.lastIndexOf('.');
      return {
        order_id: order.order_id,
        lead_id: key.slice(0, dot),
        distribution_attempt: Number(key.slice(dot + 1)),
        sequence,
        lead_type: leadType,
      };
    });
  return [...from(order.reservations, 'original'), ...from(order.replacement_reservations, 'reimbursement')];
}

function ordersChanged(...changes: readonly OrderChange[]): TransactionItem[] {
  return [
    ...changes.map(({ order_id, ...change }) => ({ key: keys.order(order_id), ...change })),
    ...versionsRaised(changes.map(({ order_id }) => order_id)),
  ];
}

/** One item for each shard: a transaction may not name an item twice. */
function versionsRaised(orderIds: readonly number[]): TransactionItem[] {
  const versions = new Map(orderIds.map((id) => [id % ORDER_SHARDS, keys.orderVersion(id)]));
  return [...versions.values()].map((key) => ({ key, update: 'ADD version :one', values: { ':one': 1 } }));
}

/** A delivered replacement taken out of its order, which will not deliver another for it. */
export function replacementTakenOut(orderId: number): TransactionItem[] {
  return ordersChanged({
    order_id: orderId,
    update: 'SET reimbursement_delivered = reimbursement_delivered - :one',
    condition: 'attribute_exists(pk)',
    values: { ':one': 1 },
  });
}

/** A new order with its pointer from the buyer and its link. */
export function orderCreated(order: Order): TransactionItem[] {
  return [
    { put: { ...keys.order(order.order_id), ...order }, condition: 'attribute_not_exists(pk)' },
    {
      put: { ...keys.buyerOrder(order.buyer, order.buyer_order_number), order_id: order.order_id },
      condition: 'attribute_not_exists(pk)',
    },
    {
      put: { ...keys.token(order.token), order_id: order.order_id },
      condition: 'attribute_not_exists(pk)',
    },
    ...versionsRaised([order.order_id]),
  ];
}

/** A new link in place of the one seen. */
export function tokenReplaced(seen: Order, token: string): TransactionItem[] {
  return [
    ...ordersChanged({
      order_id: seen.order_id,
      update: 'SET #token = :token',
      condition: '#token = :seen',
      names: { '#token': 'token' },
      values: { ':token': token, ':seen': seen.token },
    }),
    { delete: keys.token(seen.token) },
    { put: { ...keys.token(token), order_id: seen.order_id }, condition: 'attribute_not_exists(pk)' },
  ];
}

/** Frees the place of a lead that is taken out of its order; a replacement is then owed again. */
export function capacityReleased(place: { order_id: number; lead_type: LeadType }): TransactionItem[] {
  return ordersChanged({
    order_id: place.order_id,
    update:
      place.lead_type === 'original'
        ? 'SET leads_received = leads_received - :one'
        : 'SET reimbursement_delivered = reimbursement_delivered - :one, reimbursement_pending = reimbursement_pending + :one',
    condition: 'attribute_exists(pk)',
    values: { ':one': 1 },
  });
}
