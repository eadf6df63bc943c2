/**
 * Finishes or undoes what a crash left half done. Runs every minute; running it twice at once does no harm.
 *
 * 1. Leads still in flight after `STALE_AFTER` are taken over and flown again: the old distribution attempt can no longer land.
 * 2. Places held by distribution attempts that are over are given back, or merely forgotten where the lead did land.
 * 3. Pool entries of deleted buyers, and what the ledger knows of them, are removed once nothing can need them any more.
 * 4. Pool entries whose hint about room disagrees with their order are corrected.
 */

import type { PoolEntry } from '#functions/data/buyers/buyer';
import type { Lead } from '#functions/data/leads/lead';
import { hasCapacity, type Order } from '#functions/data/orders/order';
import { type Reservation, reservationsOf } from '#functions/data/orders/order-store';
import { conflict } from '#functions/domain/common/errors';
import { recompute } from '#functions/domain/distribution/decision-check';
import {
  type DistributionDeps,
  distribute,
  releaseReservation,
  returnToPending,
} from '#functions/domain/distribution/distribution';
import { errorFields } from '#functions/logger';

/** Milliseconds; longer than any function may run, so a distribution attempt this old has nobody in it. */
export const STALE_AFTER = 45_000;
/** Leads taken over per run; what is left waits a minute. */
const LEADS_PER_RUN = 500;

export interface Reconciled {
  readonly resumed: number;
  readonly reservationsReleased: number;
  readonly poolEntriesCorrected: number;
}

/** @param staleAfter milliseconds; only tests and the start of the local runtime, which knows that nobody flies, pass it */
export async function reconcile(deps: DistributionDeps, staleAfter = STALE_AFTER): Promise<Reconciled> {
  const before = new Date(deps.runtime.now().getTime() - staleAfter).toISOString();
  let resumed = 0;
  for (const lead of await deps.leads.inFlight(before, LEADS_PER_RUN)) {
    try {
      if (await resumeDistribution(deps, lead)) resumed += 1;
    } catch (error) {
      // One lead that cannot be flown must not hold up the others; it is found again in a minute.
      deps.runtime.log.error('reconcile_attempt_failed', { lead: lead.lead_id, ...errorFields(error) });
    }
  }
  return { resumed, ...(await tidy(deps, before)) };
}

async function resumeDistribution(deps: DistributionDeps, stale: Lead): Promise<boolean> {
  const lead = await deps.leads.takeOver(stale, deps.runtime.now().toISOString());
  if (lead === undefined) return false;
  const { decision } = (await deps.leads.details(lead.lead_id)) ?? {};
  const leftBehind = decision?.distribution_attempt === stale.distribution_attempt ? decision : undefined;
  await releaseReservationsOf(deps, lead, leftBehind?.winner ?? lead.chosen_buyer);
  // What the distribution attempt had recorded was settled before: the next choice takes it back by the same write.
  const recomputed = leftBehind && recompute(leftBehind);
  const unfinished = recomputed?.agrees === true ? recomputed.choice : undefined;
  const confirmed = await distribute(deps, lead, await deps.pool.read(), { decision, unfinished });
  if (confirmed.status === 'refused') await returnToPending(deps, { ...lead, ...intendedBuyer(lead) });
  return true;
}

/**
 * Gives back what earlier distribution attempts of a lead that was taken over hold with a buyer, so that its place is free for this very
 * distribution attempt; tidying would find it a minute later.
 */
async function releaseReservationsOf(
  deps: DistributionDeps,
  lead: Lead,
  buyer: number | null | undefined,
): Promise<void> {
  if (buyer === undefined || buyer === null) return;
  const orders = await deps.orders.ofBuyer(buyer);
  for (const reservation of orders.flatMap(reservationsOf))
    if (reservation.lead_id === lead.lead_id && reservation.distribution_attempt < lead.distribution_attempt)
      await releaseReservation(deps, reservation);
}

/** A lead that an admin gave to a buyer without room is offered to that buyer again when it waits. */
function intendedBuyer(lead: Lead): { intended_buyer?: number } {
  const buyer = lead.intended_buyer ?? lead.chosen_buyer;
  return buyer === undefined ? {} : { intended_buyer: buyer };
}

async function tidy(deps: DistributionDeps, before: string): Promise<Omit<Reconciled, 'resumed'>> {
  const { entries: poolEntries, retired, ledger } = await deps.pool.read();
  const current = poolEntries.flatMap((poolEntry) =>
    poolEntry.order_id === null ? [] : [{ ...poolEntry, order_id: poolEntry.order_id }],
  );
  const orders = await deps.orders.getMany(current.map(({ order_id }) => order_id));
  let reservationsReleased = 0;
  let poolEntriesCorrected = 0;
  for (const [at, poolEntry] of current.entries()) {
    const order = orders[at];
    if (order === undefined) continue;
    reservationsReleased += await resolveReservations(deps, order);
    const now = (await deps.orders.get(order.order_id)) ?? order;
    if (hasCapacity(now) !== poolEntry.has_capacity && reservationsOf(order).length === 0) {
      await deps.pool.noteCapacity(poolEntry, hasCapacity(now));
      poolEntriesCorrected += 1;
    }
  }
  for (const poolEntry of retired) reservationsReleased += await removeRetired(deps, poolEntry, before);
  const known = new Set(poolEntries.map(({ buyer }) => String(buyer)));
  for (const buyer of Object.keys(ledger.deficits))
    if (!known.has(buyer)) await deps.pool.forgetDeficit(Number(buyer));
  return { reservationsReleased, poolEntriesCorrected };
}

/** A deleted buyer: distribution attempts that saw it in the pool may still take and leave places of its order. */
async function removeRetired(deps: DistributionDeps, poolEntry: PoolEntry, before: string): Promise<number> {
  const order = poolEntry.order_id === null ? undefined : await deps.orders.get(poolEntry.order_id);
  const givenBack = order === undefined ? 0 : await resolveReservations(deps, order);
  if ((poolEntry.retired_at ?? '') < before && (order === undefined || reservationsOf(order).length === 0))
    await deps.pool.remove(poolEntry);
  return givenBack;
}

/** Milliseconds between looks at a place whose lead is about to land. */
const LANDING = 100;
const LOOKS = 5;

/**
 * Waits until no place of an order is held any more. Asked before a buyer's pool entry goes on to another order, because the
 * reconciliation looks for held places only at the orders that pool entries name.
 * @param holds those that matter
 * @returns the order as it is then: a place that was given back may have opened it
 * @throws DomainError 409 when a lead is still on its way to a place there
 */
export async function requireNoReservations(
  deps: Pick<DistributionDeps, 'leads' | 'orders' | 'pool' | 'runtime'>,
  order: Order,
  reservations: (order: Order) => readonly Reservation[] = reservationsOf,
): Promise<Order> {
  let seen = order;
  for (let look = 1; reservations(seen).length > 0; look += 1) {
    if (look > LOOKS)
      throw conflict(
        'order_in_use',
        'A lead is on its way to the latest order of this buyer. Please try again in a minute.',
      );
    if (look > 1) await deps.runtime.sleep(LANDING);
    await resolveReservations(deps, seen);
    seen = (await deps.orders.get(order.order_id)) ?? seen;
  }
  return seen;
}

/**
 * Looks at every place noted as held. The order is read before the lead: once a distribution attempt is over it never comes back, so
 * what is decided then stays right.
 * @returns how many places were given back
 */
export async function resolveReservations(
  deps: Pick<DistributionDeps, 'leads' | 'orders' | 'pool'>,
  order: Order,
): Promise<number> {
  const reservations = reservationsOf(order);
  if (reservations.length === 0) return 0;
  const leads = await deps.leads.getMany(reservations.map(({ lead_id }) => lead_id));
  const confirmed: Reservation[] = [];
  let givenBack = 0;
  for (const [at, reservation] of reservations.entries()) {
    const lead = leads[at];
    const inDistribution =
      lead?.status === 'received' && lead.distribution_attempt === reservation.distribution_attempt;
    if (inDistribution) continue;
    if (lead?.order_id === reservation.order_id && lead.sequence === reservation.sequence) {
      confirmed.push(reservation);
    } else {
      await releaseReservation(deps, reservation);
      givenBack += 1;
    }
  }
  await deps.orders.removeConfirmed(order.order_id, confirmed);
  return givenBack;
}
