/**
 * Reservations: capacity of an order taken by a distribution attempt before its lead is assigned.
 *
 * A reservation moves the order's counter and is noted on the order by the same conditional write, so a repeated or
 * interrupted write can be told from a new one. It is confirmed once the lead is assigned, or released when the attempt
 * came to nothing.
 */
import { type Order, orderSchema } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import type { Table, Written } from '#functions/data/table/table';
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

export interface ReservationStore {
  /**
   * Reserves for one lead: a replacement where the order owes one, else one lead of the limit. Repeated for the same
   * attempt it answers with the same reservation.
   */
  reserve(orderId: number, attempt: DistributionAttempt): Promise<ReserveResult>;
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

  return {
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
      else done.push(reservation);
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
