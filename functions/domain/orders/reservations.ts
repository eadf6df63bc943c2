import type { Context } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as leadStore from '#functions/data/leads/lead-store';
import { capacityStateOf, hasCapacity, type Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as reservationStore from '#functions/data/orders/reservation-store';
import { type Reservation, reservationsOf } from '#functions/data/orders/reservation-store';
import { conflict } from '#functions/domain/common/errors';

/** Releases the reservation and notes in the pool that its order has capacity again. */
export async function releaseReservation(context: Context, reservation: Reservation): Promise<void> {
  const order = await reservationStore.release(context, reservation);
  if (order === undefined || !hasCapacity(order)) return;
  const poolEntry = await poolStore.entry(context, order.buyer);
  if (poolEntry?.order_id !== order.order_id) return;
  if (poolEntry.has_capacity && poolEntry.capped_until === undefined) return;
  const state = capacityStateOf(order, poolEntry, context.runtime.now());
  await poolStore.noteCapacity(context, poolEntry, state);
}

/**
 * Confirms or releases every reservation of an order whose attempt is over. The order must be read before the leads: an attempt
 * that is over never resumes, so a later read of its lead cannot make the reservation valid again.
 * @returns how many were released
 */
export async function resolveReservations(context: Context, order: Order): Promise<number> {
  const reservations = reservationsOf(order);
  if (reservations.length === 0) return 0;
  const leads = await leadStore.ofEach(context, reservations);
  const confirmed: Reservation[] = [];
  let released = 0;
  for (const [at, reservation] of reservations.entries()) {
    const lead = leads[at];
    if (lead?.status === 'received' && lead.distribution_attempt === reservation.distribution_attempt)
      continue;
    if (lead?.order_id === reservation.order_id && lead.sequence === reservation.sequence) {
      confirmed.push(reservation);
    } else {
      await releaseReservation(context, reservation);
      released += 1;
    }
  }
  await reservationStore.removeConfirmed(context, order.order_id, confirmed);
  return released;
}

const MAX_CHECKS = 5;
const CHECK_INTERVAL_MS = 100;

/**
 * Waits until an order has no reservations. Called before a pool entry changes to another order, because the reconciliation looks
 * for reservations only at the orders that pool entries name.
 * @returns the order as last read, because a released reservation may have given it capacity
 * @throws DomainError 409 while a lead is being distributed to it
 */
export async function requireNoReservations(
  context: Context,
  order: Order,
  relevant: (order: Order) => readonly Reservation[] = reservationsOf,
): Promise<Order> {
  let expected = order;
  for (let check = 1; relevant(expected).length > 0; check += 1) {
    if (check > MAX_CHECKS)
      throw conflict(
        'order_in_use',
        'A lead is being assigned to this buyer’s latest order. Try again in a minute.',
      );
    if (check > 1) await context.runtime.sleep(CHECK_INTERVAL_MS);
    await resolveReservations(context, expected);
    expected = (await orderStore.get(context, order.order_id)) ?? expected;
  }
  return expected;
}
