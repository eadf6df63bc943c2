/**
 * Finishes or undoes what a crash left half done. Runs every minute; running it twice at once does no harm.
 *
 * 1. Leads still in flight after `STALE_AFTER` are taken over and flown again: the old flight can no longer land.
 * 2. Places held by flights that are over are given back, or merely forgotten where the lead did land.
 * 3. Slots of deleted buyers, and what the ledger knows of them, are removed once nothing can need them any more.
 * 4. Slots whose hint about room disagrees with their order are corrected.
 */

import type { Slot } from '#functions/data/buyers/buyer';
import type { Lead } from '#functions/data/leads/lead';
import { hasRoom, type Order } from '#functions/data/orders/order';
import { type Hold, holdsOf } from '#functions/data/orders/order-store';
import { conflict } from '#functions/domain/common/errors';
import { replay } from '#functions/domain/distribution/decision-check';
import {
  type DistributionDeps,
  fly,
  giveBack,
  parkAsBefore,
} from '#functions/domain/distribution/distribution';
import { errorFields } from '#functions/logger';

/** Milliseconds; longer than any function may run, so a flight this old has nobody in it. */
export const STALE_AFTER = 45_000;
/** Leads taken over per run; what is left waits a minute. */
const LEADS_PER_RUN = 500;

export interface Swept {
  readonly flown: number;
  readonly placesGivenBack: number;
  readonly slotsCorrected: number;
}

/** @param staleAfter milliseconds; only tests and the start of the local runtime, which knows that nobody flies, pass it */
export async function sweep(deps: DistributionDeps, staleAfter = STALE_AFTER): Promise<Swept> {
  const before = new Date(deps.runtime.now().getTime() - staleAfter).toISOString();
  let flown = 0;
  for (const lead of await deps.leads.inFlight(before, LEADS_PER_RUN)) {
    try {
      if (await flyAgain(deps, lead)) flown += 1;
    } catch (error) {
      // One lead that cannot be flown must not hold up the others; it is found again in a minute.
      deps.runtime.log.error('sweep_flight_failed', { lead: lead.lead_id, ...errorFields(error) });
    }
  }
  return { flown, ...(await tidy(deps, before)) };
}

async function flyAgain(deps: DistributionDeps, stale: Lead): Promise<boolean> {
  const lead = await deps.leads.takeOver(stale, deps.runtime.now().toISOString());
  if (lead === undefined) return false;
  const { decision } = (await deps.leads.story(lead.lead_id)) ?? {};
  const leftBehind = decision?.flight === stale.flight ? decision : undefined;
  await giveBackPlaces(deps, lead, leftBehind?.winner ?? lead.wanted_buyer);
  // What the flight had recorded was settled before: the next choice takes it back by the same write.
  const replayed = leftBehind && replay(leftBehind);
  const unfinished = replayed?.agrees === true ? replayed.choice : undefined;
  const landed = await fly(deps, lead, await deps.pool.read(), { decision, unfinished });
  if (landed.status === 'refused') await parkAsBefore(deps, { ...lead, ...meantFor(lead) });
  return true;
}

/**
 * Gives back what earlier flights of a lead that was taken over hold with a buyer, so that its place is free for this very
 * flight; tidying would find it a minute later.
 */
async function giveBackPlaces(
  deps: DistributionDeps,
  lead: Lead,
  buyer: number | null | undefined,
): Promise<void> {
  if (buyer === undefined || buyer === null) return;
  const orders = await deps.orders.ofBuyer(buyer);
  for (const hold of orders.flatMap(holdsOf))
    if (hold.lead_id === lead.lead_id && hold.flight < lead.flight) await giveBack(deps, hold);
}

/** A lead that an admin gave to a buyer without room is offered to that buyer again when it waits. */
function meantFor(lead: Lead): { meant_for?: number } {
  const buyer = lead.meant_for ?? lead.wanted_buyer;
  return buyer === undefined ? {} : { meant_for: buyer };
}

async function tidy(deps: DistributionDeps, before: string): Promise<Omit<Swept, 'flown'>> {
  const { slots, leaving, ledger } = await deps.pool.read();
  const current = slots.flatMap((slot) =>
    slot.order_id === null ? [] : [{ ...slot, order_id: slot.order_id }],
  );
  const orders = await deps.orders.getMany(current.map(({ order_id }) => order_id));
  let placesGivenBack = 0;
  let slotsCorrected = 0;
  for (const [at, slot] of current.entries()) {
    const order = orders[at];
    if (order === undefined) continue;
    placesGivenBack += await settleHolds(deps, order);
    const now = (await deps.orders.get(order.order_id)) ?? order;
    if (hasRoom(now) !== slot.has_room && holdsOf(order).length === 0) {
      await deps.pool.noteRoom(slot, hasRoom(now));
      slotsCorrected += 1;
    }
  }
  for (const slot of leaving) placesGivenBack += await seeOff(deps, slot, before);
  const known = new Set(slots.map(({ buyer }) => String(buyer)));
  for (const buyer of Object.keys(ledger.deficits))
    if (!known.has(buyer)) await deps.pool.forgetDeficit(Number(buyer));
  return { placesGivenBack, slotsCorrected };
}

/** A deleted buyer: flights that saw it in the pool may still take and leave places of its order. */
async function seeOff(deps: DistributionDeps, slot: Slot, before: string): Promise<number> {
  const order = slot.order_id === null ? undefined : await deps.orders.get(slot.order_id);
  const givenBack = order === undefined ? 0 : await settleHolds(deps, order);
  if ((slot.left_at ?? '') < before && (order === undefined || holdsOf(order).length === 0))
    await deps.pool.remove(slot);
  return givenBack;
}

/** Milliseconds between looks at a place whose lead is about to land. */
const LANDING = 100;
const LOOKS = 5;

/**
 * Waits until no place of an order is held any more. Asked before a buyer's slot goes on to another order, because the
 * sweep looks for held places only at the orders that slots name.
 * @param holds those that matter
 * @returns the order as it is then: a place that was given back may have opened it
 * @throws DomainError 409 when a lead is still on its way to a place there
 */
export async function requireNoHolds(
  deps: Pick<DistributionDeps, 'leads' | 'orders' | 'pool' | 'runtime'>,
  order: Order,
  holds: (order: Order) => readonly Hold[] = holdsOf,
): Promise<Order> {
  let seen = order;
  for (let look = 1; holds(seen).length > 0; look += 1) {
    if (look > LOOKS)
      throw conflict(
        'order_in_use',
        'A lead is on its way to the latest order of this buyer. Please try again in a minute.',
      );
    if (look > 1) await deps.runtime.sleep(LANDING);
    await settleHolds(deps, seen);
    seen = (await deps.orders.get(order.order_id)) ?? seen;
  }
  return seen;
}

/**
 * Looks at every place noted as held. The order is read before the lead: once a flight is over it never comes back, so
 * what is decided then stays right.
 * @returns how many places were given back
 */
export async function settleHolds(
  deps: Pick<DistributionDeps, 'leads' | 'orders' | 'pool'>,
  order: Order,
): Promise<number> {
  const holds = holdsOf(order);
  if (holds.length === 0) return 0;
  const leads = await deps.leads.getMany(holds.map(({ lead_id }) => lead_id));
  const landed: Hold[] = [];
  let givenBack = 0;
  for (const [at, hold] of holds.entries()) {
    const lead = leads[at];
    const flying = lead?.status === 'received' && lead.flight === hold.flight;
    if (flying) continue;
    if (lead?.order_id === hold.order_id && lead.sequence === hold.sequence) {
      landed.push(hold);
    } else {
      await giveBack(deps, hold);
      givenBack += 1;
    }
  }
  await deps.orders.clearHolds(order.order_id, landed);
  return givenBack;
}
