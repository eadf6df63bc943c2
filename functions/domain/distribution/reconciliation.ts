/**
 * Finishes or undoes what a crash left incomplete. Runs every minute; concurrent runs do no harm.
 *
 * 1. Leads in flight for longer than `STALE_AFTER_MS` are distributed by a new attempt; the old one can no longer
 *    assign them.
 * 2. Batches that are open for as long are distributed again, by the choices that were made for them.
 * 3. Reservations of distribution attempts that are over are confirmed if the lead was assigned, else released.
 * 4. Pool entries and deficits of deleted buyers are removed once no distribution attempt can use them.
 * 5. Pool entries that disagree with their order about its capacity are corrected, also after a cap has ended; those of buyers
 *    whose hours have begun are marked. The stream then redistributes the backlog.
 */

import { type PoolEntry, takesLeads } from '#functions/data/buyers/buyer';
import * as batchStore from '#functions/data/distribution/batch-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { agrees } from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as leadStore from '#functions/data/leads/lead-store';
import { capacityStateOf } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { reservationsOf } from '#functions/data/orders/reservation-store';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { asRecorded } from '#functions/domain/distribution/consent';
import { recompute } from '#functions/domain/distribution/decision-check';
import { distribute, returnToPending } from '#functions/domain/distribution/distribution';
import { leadsWaitedFor, withPersonResolved } from '#functions/domain/distribution/same-person';
import { releaseReservation, resolveReservations } from '#functions/domain/orders/reservations';
import { errorFields } from '#functions/platform/logger';
import { openSince } from '#shared/rules/schedule';

/** Longer than the timeout of any function, so the process of such an attempt has ended. */
export const STALE_AFTER_MS = 45_000;
const MAX_LEADS_PER_RUN = 500;
const MAX_BATCHES_PER_RUN = 5;

/** @param staleAfterMs other than the default only in tests and at the local start, when no distribution attempt can be running */
export async function reconcile(context: DistributionContext, staleAfterMs = STALE_AFTER_MS) {
  const before = new Date(context.runtime.now().getTime() - staleAfterMs).toISOString();
  let resumed = 0;
  const stale = await leadLists.inFlight(context, before, MAX_LEADS_PER_RUN);
  const attempt = async (lead: Lead, resume: () => Promise<boolean>) => {
    try {
      if (await resume()) resumed += 1;
    } catch (error) {
      // One lead that cannot be distributed must not block the others; the next run finds it again.
      context.runtime.log.error('reconcile_attempt_failed', { lead: lead.lead_id, ...errorFields(error) });
    }
  };
  const [alone, related] = partition(stale, (lead) => leadsWaitedFor(lead).length === 0);
  for (const lead of alone)
    await attempt(lead, async () => {
      const taken = await takeOver(context, lead);
      return taken !== undefined && resumeDistribution(context, lead, taken, []);
    });
  // Leads of one person can wait for each other in a circle. Once all are taken over, no other attempt can assign them.
  const pairs = await mapConcurrently(related, async (lead) => ({
    lead,
    taken: await takeOver(context, lead),
  }));
  const held = pairs.flatMap(({ taken }) => taken ?? []);
  for (const { lead, taken } of pairs)
    if (taken !== undefined) await attempt(lead, () => resumeDistribution(context, lead, taken, held));
  for (const batch of await batchStore.openSince(context, before, MAX_BATCHES_PER_RUN)) {
    try {
      const done = await distributeBatch(context, batch);
      resumed += (done?.assigned ?? 0) + (done?.pending ?? 0);
    } catch (error) {
      context.runtime.log.error('reconcile_batch_failed', { batch, ...errorFields(error) });
    }
  }
  return { resumed, ...(await tidy(context, before)) };
}

/** Repeatable. @param attempt by which the lead left its order */
export async function redistributeRefused(
  context: DistributionContext,
  leadId: string,
  attempt: number,
): Promise<boolean> {
  const lead = await leadStore.get(context, leadId);
  if (lead?.status !== 'received' || lead.distribution_attempt !== attempt) return false;
  const taken = await takeOver(context, lead);
  return taken !== undefined && resumeDistribution(context, lead, taken, []);
}

const takeOver = (context: DistributionContext, lead: Lead) =>
  leadStore.takeOver(context, lead, context.runtime.now().toISOString());

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

async function resumeDistribution(
  context: DistributionContext,
  stale: Lead,
  taken: Lead,
  held: readonly Lead[],
): Promise<boolean> {
  const resolved = await withPersonResolved(context, taken);
  if (resolved === undefined) return true;
  const lead = await asRecorded(context, resolved);
  const { decision } = (await leadStore.details(context, lead.lead_id)) ?? {};
  const leftBehind = decision?.distribution_attempt === stale.distribution_attempt ? decision : undefined;
  await releaseReservationsOf(context, lead, leftBehind?.winner ?? lead.chosen_buyer);
  // A recorded choice is settled in the ledger already: the next choice withdraws it in the same write.
  const recomputed = leftBehind && recompute(leftBehind);
  const unfinished = recomputed?.agrees === true ? recomputed.choice : undefined;
  const pool = await poolStore.read(context);
  const result = await distribute(context, lead, pool, { decision, unfinished, held });
  if (result.status === 'refused') await returnToPending(context, { ...lead, ...intendedBuyer(lead) });
  return true;
}

/** Frees the capacity of earlier attempts for the new one; `tidy` would do so only in a later run. */
async function releaseReservationsOf(
  context: DistributionContext,
  lead: Lead,
  buyer: number | null | undefined,
): Promise<void> {
  if (buyer === undefined || buyer === null) return;
  const orders = await orderStore.ofBuyer(context, buyer);
  for (const reservation of orders.flatMap(reservationsOf))
    if (reservation.lead_id === lead.lead_id && reservation.distribution_attempt < lead.distribution_attempt)
      await releaseReservation(context, reservation);
}

/** A lead that cannot be assigned to the buyer an admin chose keeps it as its intended buyer. */
function intendedBuyer(lead: Lead): { intended_buyer?: number } {
  const buyer = lead.intended_buyer ?? lead.chosen_buyer;
  return buyer === undefined ? {} : { intended_buyer: buyer };
}

async function tidy(context: DistributionContext, before: string) {
  const { entries: poolEntries, retired, ledger } = await poolStore.read(context);
  const current = poolEntries.flatMap((poolEntry) =>
    poolEntry.order_id === null ? [] : [{ ...poolEntry, order_id: poolEntry.order_id }],
  );
  const orders = await orderStore.ofEach(context, current);
  let reservationsReleased = 0;
  let poolEntriesCorrected = 0;
  for (const [at, poolEntry] of current.entries()) {
    const order = orders[at];
    if (order === undefined) continue;
    reservationsReleased += await resolveReservations(context, order);
    const now = (await orderStore.get(context, order.order_id)) ?? order;
    const instant = context.runtime.now();
    const capacityState = capacityStateOf(now, poolEntry, instant);
    const isSettled = reservationsOf(order).length === 0;
    const hasCapEnded = poolEntry.capped_until !== undefined && capacityState.capped === undefined;
    const opened = openSince(poolEntry.schedule, instant)?.toISOString();
    if (isSettled ? hasCapEnded || !agrees(poolEntry, capacityState, instant) : hasCapEnded) {
      const has_capacity = isSettled ? capacityState.has_capacity : poolEntry.has_capacity;
      await poolStore.noteCapacity(context, poolEntry, { ...capacityState, has_capacity });
      poolEntriesCorrected += 1;
    } else if (opened !== undefined && opened !== poolEntry.opened_at && takesLeads(poolEntry, instant))
      await poolStore.noteOpening(context, poolEntry, opened);
  }
  for (const poolEntry of retired) reservationsReleased += await removeRetired(context, poolEntry, before);
  const known = new Set(poolEntries.map(({ buyer }) => String(buyer)));
  for (const buyer of Object.keys(ledger.deficits))
    if (!known.has(buyer))
      await context.ledger.inTurn(ledger, async () => ({
        result: undefined,
        ledger: await poolStore.forgetDeficit(context, Number(buyer)),
      }));
  return { reservationsReleased, poolEntriesCorrected };
}

/** Attempts that read the pool before the buyer was deleted may still reserve at its order. */
async function removeRetired(context: DistributionContext, poolEntry: PoolEntry, before: string) {
  const order = poolEntry.order_id === null ? undefined : await orderStore.get(context, poolEntry.order_id);
  const released = order === undefined ? 0 : await resolveReservations(context, order);
  if ((poolEntry.retired_at ?? '') < before && (order === undefined || reservationsOf(order).length === 0))
    await poolStore.remove(context, poolEntry);
  return released;
}
