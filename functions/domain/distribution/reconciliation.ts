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
import { hasCapacity } from '#functions/data/orders/order';
import { reservationsOf } from '#functions/data/orders/reservation-store';
import { recompute } from '#functions/domain/distribution/decision-check';
import {
  type DistributionDeps,
  distribute,
  returnToPending,
} from '#functions/domain/distribution/distribution';
import { releaseReservation, resolveReservations } from '#functions/domain/orders/reservations';
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
  const result = await distribute(deps, lead, await deps.pool.read(), { decision, unfinished });
  if (result.status === 'refused') await returnToPending(deps, { ...lead, ...intendedBuyer(lead) });
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
