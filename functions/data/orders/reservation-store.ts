/**
 * Reservations: capacity of an order taken by a distribution attempt before its lead is assigned.
 *
 * A reservation moves the order's counter and is noted on the order by the same conditional write, so a repeated or
 * interrupted write can be told from a new one. It is confirmed once the lead is assigned, or released when the attempt
 * came to nothing.
 */
import { hasCapacity, type Order, orderSchema } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import type { Table, Update, Written } from '#functions/data/table/table';
import type { LeadType } from '#shared/contract/constants';

/** One run of the distribution of one lead. */
export interface DistributionAttempt {
  readonly lead_id: string;
  readonly distribution_attempt: number;
}

export interface Reservation extends DistributionAttempt {
  readonly order_id: number;
  readonly sequence: number;
  readonly lead_type: LeadType;
}

export type ReserveResult =
  | {
      readonly reserved: true;
      readonly order: Order;
      readonly sequence: number;
      readonly lead_type: LeadType;
    }
  /** No capacity, or no such order. */
  | { readonly reserved: false; readonly order: Order | undefined };

/** What an order gave to several leads at once. */
export interface ReservedMany {
  /** As it is after the write; undefined if there is no such order. */
  readonly order: Order | undefined;
  /** In the order of the attempts; undefined for those that it had no capacity for. */
  readonly reserved: readonly ({ readonly sequence: number; readonly lead_type: LeadType } | undefined)[];
}

export interface ReservationStore {
  /**
   * Reserves for one lead: a replacement where the order owes one, else one lead of the limit. Repeated for the same
   * attempt it answers with the same reservation.
   */
  reserve(orderId: number, attempt: DistributionAttempt): Promise<ReserveResult>;
  /**
   * The same for several leads by one write, up to `MAX_LEADS_PER_WRITE` of them: the first of them get the replacements that
   * the order owes, the others what is left of the limit.
   */
  reserveMany(orderId: number, attempts: readonly DistributionAttempt[]): Promise<ReservedMany>;
  /** Releases the capacity. @returns the order after the write, or undefined when there was no such reservation */
  release(reservation: Reservation): Promise<Order | undefined>;
  /**
   * Records that the lead is assigned. The note on the order is removed by this process's next reservation there, or by
   * `removeConfirmed`.
   */
  confirm(reservation: Reservation): void;
  /** Removes the notes of reservations whose leads are assigned. */
  removeConfirmed(orderId: number, reservations: readonly Reservation[]): Promise<void>;
}

const ATTRIBUTE = {
  original: 'reservations',
  reimbursement: 'replacement_reservations',
} as const satisfies Record<LeadType, string>;

const keyOf = (attempt: DistributionAttempt) => `${attempt.lead_id}.${attempt.distribution_attempt}`;

/** Keeps the expression short; the reconciliation removes what is left. */
const MAX_NOTES_REMOVED = 16;

/** An expression may have 4 KB and 300 operators; a condition on each lead takes four of them. */
const MAX_LEADS_PER_WRITE = 50;
/** Writes for the same leads, each on the order as the one before it found it. */
const MAX_WRITES_FOR_MANY = 20;

export function createReservationStore(table: Table): ReservationStore {
  /** By order: confirmed, and still noted on it. */
  const confirmed = new Map<number, Reservation[]>();

  const reserveAs = async (
    orderId: number,
    attempt: DistributionAttempt,
    leadType: LeadType,
  ): Promise<Written> => {
    const done = confirmed.get(orderId)?.splice(0, MAX_NOTES_REMOVED) ?? [];
    const removal = notesRemoved(done);
    const [counters, capacity] =
      leadType === 'original'
        ? [
            'leads_received = leads_received + :one',
            'leads_received < lead_limit AND reimbursement_pending = :zero',
          ]
        : [
            'reimbursement_delivered = reimbursement_delivered + :one, reimbursement_pending = reimbursement_pending - :one',
            'reimbursement_pending > :zero',
          ];
    const written = await table.update({
      key: keys.order(orderId),
      update: `SET ${counters}, last_sequence = last_sequence + :one, ${ATTRIBUTE[leadType]}.#key = last_sequence + :one ${removal.text}`,
      condition: `attribute_exists(pk) AND deleted_at = :null AND ${capacity} AND attribute_not_exists(reservations.#key) AND attribute_not_exists(replacement_reservations.#key)`,
      names: { '#key': keyOf(attempt), ...removal.names },
      values: { ':one': 1, ':zero': 0, ':null': null },
    });
    if (!written.ok && done.length > 0) confirmed.set(orderId, [...(confirmed.get(orderId) ?? []), ...done]);
    return written;
  };

  /** Orders as this process saw them last; only to know the numbers for a condition, which the condition then proves. */
  const seen = new Map<number, Order>();
  const read = async (orderId: number): Promise<Order | undefined> => {
    const item = await table.get(keys.order(orderId));
    return item && orderSchema.parse(item);
  };

  return {
    async reserveMany(orderId, attempts) {
      const remembered = seen.get(orderId);
      // Its notes may have been removed since.
      let order = remembered && { ...remembered, reservations: {}, replacement_reservations: {} };
      let isCurrent = false;
      for (let writes = 0; ; writes += 1) {
        if (order === undefined || (!isCurrent && !hasCapacity(order))) {
          order = await read(orderId);
          isCurrent = true;
        }
        if (order === undefined) return { order, reserved: attempts.map(() => undefined) };
        seen.set(orderId, order);
        const found = order;
        const reserved = attempts.map((attempt) => reservationOf(found, attempt));
        const wanting = attempts.filter((_, at) => reserved[at] === undefined);
        if (wanting.length === 0 || !hasCapacity(found) || writes === MAX_WRITES_FOR_MANY)
          return { order: found, reserved };
        const taking = wanting.slice(0, MAX_LEADS_PER_WRITE);
        const wanted = new Set(taking.map(keyOf));
        // Another run of this process may have assigned one of these leads; its note cannot be written and removed at once.
        const done = (confirmed.get(orderId)?.splice(0, MAX_LEADS_PER_WRITE) ?? []).filter(
          (reservation) => !wanted.has(keyOf(reservation)),
        );
        const written = await table.update(reservationOfMany(found, taking, done));
        if (!written.ok && done.length > 0)
          confirmed.set(orderId, [...(confirmed.get(orderId) ?? []), ...done]);
        order = written.item && orderSchema.parse(written.item);
        isCurrent = true;
        if (order === undefined) seen.delete(orderId);
      }
    },

    async reserve(orderId, attempt) {
      let leadType: LeadType = 'original';
      // Usually one write. An owed replacement or a faster reservation changes the lead type, and the write is repeated.
      for (let round = 0; round < 4; round += 1) {
        const written = await reserveAs(orderId, attempt, leadType);
        if (!written.ok && written.item === undefined) return { reserved: false, order: undefined };
        const order = orderSchema.parse(written.item);
        const own = reservationOf(order, attempt);
        if (own !== undefined) return { reserved: true, order, ...own };
        const owes = order.reimbursement_pending > 0;
        if (order.deleted_at !== null || (!owes && order.leads_received >= order.lead_limit))
          return { reserved: false, order };
        leadType = owes ? 'reimbursement' : 'original';
      }
      return { reserved: false, order: undefined };
    },

    async release(reservation) {
      const attribute = ATTRIBUTE[reservation.lead_type];
      const counters =
        reservation.lead_type === 'original'
          ? 'leads_received = leads_received - :one'
          : 'reimbursement_delivered = reimbursement_delivered - :one, reimbursement_pending = reimbursement_pending + :one';
      const written = await table.update({
        key: keys.order(reservation.order_id),
        update: `SET ${counters} REMOVE ${attribute}.#key`,
        condition: `attribute_exists(${attribute}.#key)`,
        names: { '#key': keyOf(reservation) },
        values: { ':one': 1 },
      });
      return written.ok ? orderSchema.parse(written.item) : undefined;
    },

    confirm(reservation) {
      const done = confirmed.get(reservation.order_id);
      if (done === undefined) confirmed.set(reservation.order_id, [reservation]);
      // Two runs of this process over the same batch confirm the same.
      else if (!done.some((one) => keyOf(one) === keyOf(reservation))) done.push(reservation);
    },

    async removeConfirmed(orderId, reservations) {
      for (let start = 0; start < reservations.length; start += MAX_NOTES_REMOVED) {
        const removal = notesRemoved(reservations.slice(start, start + MAX_NOTES_REMOVED));
        await table.update({
          key: keys.order(orderId),
          update: removal.text,
          condition: 'attribute_exists(pk)',
          names: removal.names,
        });
      }
    },
  };
}

/**
 * Takes as much as the order has, as it was seen, for the first of the leads. Conditions know no sums, so the number that
 * may be taken already is computed from the limit seen, on the condition that this is still the limit.
 */
function reservationOfMany(
  seen: Order,
  attempts: readonly DistributionAttempt[],
  done: readonly Reservation[],
): Update {
  const replacements = Math.min(attempts.length, seen.reimbursement_pending);
  const originals = Math.max(
    0,
    Math.min(attempts.length - replacements, seen.lead_limit - seen.leads_received),
  );
  const taken = attempts.slice(0, replacements + originals);
  const removal = notesRemoved(done);
  // Short names, because an expression may not be longer than 4 KB.
  const names: Record<string, string> = {
    '#o': ATTRIBUTE.original,
    '#r': ATTRIBUTE.reimbursement,
    ...removal.names,
  };
  const values: Record<string, unknown> = { ':null': null, ':taken': taken.length, ':owed': replacements };
  const sets = ['last_sequence = last_sequence + :taken'];
  const conditions = ['attribute_exists(pk)', 'deleted_at = :null'];
  for (const [at, attempt] of taken.entries()) {
    names[`#k${at}`] = keyOf(attempt);
    values[`:n${at}`] = at + 1;
    sets.push(`${at < replacements ? '#r' : '#o'}.#k${at} = last_sequence + :n${at}`);
    conditions.push(`attribute_not_exists(#o.#k${at})`, `attribute_not_exists(#r.#k${at})`);
  }
  if (replacements > 0)
    sets.push(
      'reimbursement_delivered = reimbursement_delivered + :owed, reimbursement_pending = reimbursement_pending - :owed',
    );
  if (originals > 0) {
    values[':originals'] = originals;
    sets.push('leads_received = leads_received + :originals');
  }
  if (taken.length < attempts.length) {
    // More may have become free since, so the rest is refused only by the order as it is.
    values[':limit'] = seen.lead_limit;
    values[':received'] = seen.leads_received;
    conditions.push('reimbursement_pending = :owed', 'lead_limit = :limit', 'leads_received = :received');
  } else if (originals > 0) {
    values[':limit'] = seen.lead_limit;
    values[':most'] = seen.lead_limit - originals;
    conditions.push('reimbursement_pending = :owed', 'lead_limit = :limit', 'leads_received <= :most');
  } else conditions.push('reimbursement_pending >= :owed');
  return {
    key: keys.order(seen.order_id),
    update: `SET ${sets.join(', ')} ${removal.text}`,
    condition: conditions.join(' AND '),
    names,
    values,
  };
}

function notesRemoved(reservations: readonly Reservation[]) {
  const names: Record<string, string> = {};
  const paths = reservations.map((reservation, at) => {
    names[`#done${at}`] = keyOf(reservation);
    return `${ATTRIBUTE[reservation.lead_type]}.#done${at}`;
  });
  return { text: paths.length === 0 ? '' : `REMOVE ${paths.join(', ')}`, names };
}

function reservationOf(
  order: Order,
  attempt: DistributionAttempt,
): { sequence: number; lead_type: LeadType } | undefined {
  const original = order.reservations[keyOf(attempt)];
  if (original !== undefined) return { sequence: original, lead_type: 'original' };
  const replacement = order.replacement_reservations[keyOf(attempt)];
  return replacement === undefined ? undefined : { sequence: replacement, lead_type: 'reimbursement' };
}

/** Every reservation noted on an order, confirmed ones included. */
export function reservationsOf(order: Order): Reservation[] {
  const from = (noted: Readonly<Record<string, number>>, leadType: LeadType): Reservation[] =>
    Object.entries(noted).map(([key, sequence]) => {
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
