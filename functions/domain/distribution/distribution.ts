/**
 * The way of a lead to its buyer.
 *
 *     receive ∥ read the pool → choose, settle the ledger → take a place ∥ record the decision → land
 *
 * A flight is one run of this. Every step is conditional and can be repeated, and a crash after any of them leaves a
 * lead in flight that the sweep finds: it takes the flight over, which fences the old one off, because landing demands
 * the flight's number. A place whose flight never landed is given back. See `docs/adr/0003-distribution-attempts.md`.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Slot } from '#functions/data/buyers/buyer';
import type { Pool, PoolStore } from '#functions/data/distribution/pool-store';
import { type Decision, type Lead, type Person, personSchema } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import { hasRoom, type Order } from '#functions/data/orders/order';
import type { Hold, OrderStore, Taken } from '#functions/data/orders/order-store';
import type { Put, Table } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { pendingReason, type Sorted, sortOut } from '#functions/domain/distribution/eligibility';
import type { LedgerDesk } from '#functions/domain/distribution/ledger-batcher';
import { type Choice, RULE } from '#functions/domain/distribution/share-rule';
import { verify } from '#functions/domain/distribution/verification';
import { deliveryEntry } from '#functions/domain/orders/replacement-ledger';
import type { Runtime } from '#functions/runtime';
import type { Checks } from '#functions/verification/verification';
import type { LeadType, PendingReason } from '#shared/contract/constants';

export interface DistributionDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly leads: LeadStore;
  readonly orders: OrderStore;
  readonly pool: PoolStore;
  readonly ledger: LedgerDesk;
  readonly checks: Checks;
  /** Whether a check without a certain answer holds the lead. */
  readonly mustBeCertain: boolean;
  readonly runtime: Runtime;
}

/** How a flight ended. */
export type Landed =
  | {
      readonly status: 'assigned';
      readonly lead_id: string;
      readonly buyer_id: string;
      readonly order: Order;
      readonly sequence: number;
      readonly lead_type: LeadType;
    }
  | { readonly status: 'pending'; readonly lead_id: string; readonly reason: PendingReason }
  /** By hand only: the wanted buyer has no open order or no room. The lead is still in flight. */
  | { readonly status: 'refused'; readonly lead_id: string }
  /** Another flight of the same lead has taken over. */
  | { readonly status: 'overtaken'; readonly lead_id: string };

/**
 * Takes in a lead and distributes it, or gives it to the buyer an admin chose.
 * @param leadId the new lead's id, where somebody has promised it already
 * @throws DomainError 404 for an unknown buyer, 409 for a chosen buyer without room; nothing is stored then
 */
export async function takeIn(
  deps: DistributionDeps,
  person: Person,
  wantedBuyerId: string | undefined,
  leadId = deps.runtime.newId(),
): Promise<Exclude<Landed, { status: 'refused' }>> {
  const at = deps.runtime.now().toISOString();
  const lead: Lead = {
    lead_id: leadId,
    status: 'received',
    ...person,
    received_at: at,
    flight: 1,
    in_flight_since: at,
  };
  if (wantedBuyerId === undefined) {
    const [, pool] = await Promise.all([deps.leads.receive(lead), deps.pool.read()]);
    return notRefused(await fly(deps, lead, pool));
  }
  const pool = await deps.pool.read();
  const slot = requireSlot(pool, wantedBuyerId);
  const wanted: Lead = { ...lead, wanted_buyer: slot.buyer };
  await deps.leads.receive(wanted);
  const landed = await fly(deps, wanted, pool);
  if (landed.status !== 'refused') return landed;
  await deps.leads.takeBack(wanted);
  throw noRoom(wantedBuyerId);
}

/**
 * Gives a pending lead, edited or not, to the buyer an admin chose. Weights, minimum, review and verification are
 * skipped, the order's limit is not.
 * @throws DomainError 404 for an unknown lead or buyer, 409 when the lead is no longer pending or the buyer has no room
 */
export async function assignByHand(
  deps: DistributionDeps,
  who: string,
  leadId: string,
  change: { person: Partial<Person>; buyerId: string },
): Promise<Extract<Landed, { status: 'assigned' }>> {
  const [story, pool] = await Promise.all([deps.leads.story(leadId), deps.pool.read()]);
  if (story === undefined) throw notFound('Lead');
  const { lead, decision } = story;
  const slot = requireSlot(pool, change.buyerId);
  if (slot.order_id === null) throw noRoom(change.buyerId);
  const { launched, update } = deps.leads.launchedByHand(lead, {
    person: change.person,
    wantedBuyer: slot.buyer,
    wantedBy: who,
    at: deps.runtime.now().toISOString(),
  });
  const [before, after] = [personSchema.parse(lead), personSchema.parse(launched)];
  const edited = auditEntry(deps, {
    who,
    action: 'updated',
    entity: 'lead',
    entityId: leadId,
    before,
    after,
  });
  const off = await deps.table.transact([update, ...(isDeepStrictEqual(before, after) ? [] : [edited])]);
  if (!off.ok) throw conflict('lead_not_pending', 'This lead is no longer pending');
  const landed = await fly(deps, launched, pool, { decision });
  if (landed.status === 'assigned') return landed;
  if (landed.status === 'refused') {
    await parkAsBefore(deps, launched);
    throw noRoom(change.buyerId);
  }
  throw conflict('lead_not_pending', 'This lead is no longer pending');
}

/** Puts a lead that could not be assigned by hand back where it was. */
export async function parkAsBefore(deps: DistributionDeps, lead: Lead): Promise<void> {
  const meantFor = lead.meant_for;
  await deps.leads.park(lead, {
    reason: lead.reason ?? 'limits_reached',
    ...(meantFor !== undefined && { meantFor }),
    notes: lead.verification_notes ?? [],
  });
}

/** What an earlier flight of a lead has left. */
export interface Earlier {
  readonly decision?: Decision | undefined;
  /** What it chose and settled before it was left behind. */
  readonly unfinished?: Choice | undefined;
}

/** Flies a lead that is in flight to its end. */
export async function fly(
  deps: DistributionDeps,
  lead: Lead,
  pool: Pool,
  { decision, unfinished }: Earlier = {},
): Promise<Landed> {
  const { reason, notes } =
    lead.verified === true
      ? { reason: undefined, notes: lead.verification_notes ?? [] }
      : await verify(deps.checks, pool.switches, lead, deps.mustBeCertain);
  if (reason !== undefined) {
    if (unfinished !== undefined) await goToNobody(deps, lead, unfinished, {});
    return park(deps, lead, {
      reason,
      notes,
      ...(lead.wanted_buyer !== undefined && { meantFor: lead.wanted_buyer }),
    });
  }
  return lead.wanted_buyer === undefined
    ? flyByWeights(deps, lead, pool, notes, unfinished)
    : flyByHand(deps, lead, pool, lead.wanted_buyer, notes, turnOf(decision));
}

async function flyByHand(
  deps: DistributionDeps,
  lead: Lead,
  pool: Pool,
  buyer: number,
  notes: readonly string[],
  turn: Decision['turn'],
): Promise<Landed> {
  const slot = pool.slots.find((candidate) => candidate.buyer === buyer);
  if (slot?.active !== true || slot.order_id === null) return { status: 'refused', lead_id: lead.lead_id };
  const taken = await deps.orders.takePlace(slot.order_id, lead);
  if (!taken.taken) return { status: 'refused', lead_id: lead.lead_id };
  await deps.leads.record(
    decisionOf(deps, lead, { mode: 'manual', winner: buyer, eligible: [], not_eligible: {}, turn }),
  );
  return land(deps, lead, slot, taken, notes);
}

/** The choice by the weights that a lead has behind it which is given by hand now: what it settled stays settled. */
function turnOf(earlier: Decision | undefined): Decision['turn'] {
  if (earlier === undefined || earlier.mode === 'manual') return earlier?.turn;
  return earlier.winner === null ? undefined : earlier;
}

async function flyByWeights(
  deps: DistributionDeps,
  lead: Lead,
  seen: Pool,
  notes: readonly string[],
  unfinished: Choice | undefined,
): Promise<Landed> {
  const full = new Set<number>();
  let pool = seen;
  let standing = unfinished;
  for (;;) {
    const { candidates, notEligible } = sortOut(pool.slots, lead.anlagebetrag, full);
    if (candidates.length === 0 && pool === seen) {
      // Whoever has got room since then has had the backlog looked at, which this lead was not in yet.
      pool = await deps.pool.read();
      full.clear();
      continue;
    }
    if (candidates.length === 0) {
      await goToNobody(deps, lead, standing, notEligible);
      return park(deps, lead, { reason: pendingReason(notEligible), notes });
    }
    const settled = await deps.ledger.choose(pool.ledger, lead.lead_id, candidates, standing);
    standing = settled;
    deps.runtime.metrics.record('ShareDistance', deps.ledger.distance(), {});
    const decision = decisionOf(deps, lead, {
      mode: settled.mode,
      winner: settled.winner,
      ...(settled.draw !== undefined && { draw: settled.draw }),
      eligible: candidates.map(({ buyer, weight }) => [buyer, weight, settled.before.get(buyer) ?? 0]),
      not_eligible: notEligible,
    });
    const slot = pool.slots.find(({ buyer }) => buyer === settled.winner);
    if (slot === undefined || slot.order_id === null) throw new Error('A winner has a slot and an order');
    if (slot.manual_review) {
      await deps.leads.record(decision);
      return park(deps, lead, { reason: 'manual_review', meantFor: slot.buyer, notes });
    }
    const [taken] = await Promise.all([
      deps.orders.takePlace(slot.order_id, lead),
      deps.leads.record(decision),
    ]);
    if (taken.taken) return land(deps, lead, slot, taken, notes);
    full.add(slot.buyer);
    await deps.pool.noteRoom(slot, false);
  }
}

/** Takes back what was settled for the lead and records that nobody gets it. */
async function goToNobody(
  deps: DistributionDeps,
  lead: Lead,
  standing: Choice | undefined,
  notEligible: Sorted['notEligible'],
): Promise<void> {
  await Promise.all([
    standing && deps.ledger.withdraw(lead.lead_id, standing),
    deps.leads.record(
      decisionOf(deps, lead, { mode: 'weights', winner: null, eligible: [], not_eligible: notEligible }),
    ),
  ]);
}

async function park(
  deps: DistributionDeps,
  lead: Lead,
  outcome: { reason: PendingReason; meantFor?: number; notes: readonly string[] },
): Promise<Landed> {
  const parked = await deps.leads.park(lead, outcome);
  if (parked) deps.runtime.metrics.record('LeadsPending', 1, { Reason: outcome.reason });
  return parked
    ? { status: 'pending', lead_id: lead.lead_id, reason: outcome.reason }
    : { status: 'overtaken', lead_id: lead.lead_id };
}

async function land(
  deps: DistributionDeps,
  lead: Lead,
  slot: Slot,
  taken: Extract<Taken, { taken: true }>,
  notes: readonly string[],
): Promise<Landed> {
  const { order, sequence, lead_type } = taken;
  const place = { buyer: slot.buyer, order_id: order.order_id, sequence, lead_type };
  const hold: Hold = { ...place, lead_id: lead.lead_id, flight: lead.flight };
  const at = deps.runtime.now().toISOString();
  const [result] = await Promise.all([
    deps.table.transact([
      ...deps.leads.landing(lead, place, slot.channels, at, notes),
      ...(lead_type === 'reimbursement' ? [deliveryEntry({ order, leadId: lead.lead_id, at })] : []),
      ...(lead.wanted_by === undefined ? [] : [assignedByHand(deps, lead, lead.wanted_by, slot, order)]),
    ]),
    hasRoom(order) ? undefined : deps.pool.noteRoom(slot, false),
  ]);
  if (!result.ok && !(await hasLandedAt(deps, hold))) {
    await giveBack(deps, hold);
    return { status: 'overtaken', lead_id: lead.lead_id };
  }
  deps.orders.forgetHold(hold);
  deps.runtime.metrics.record('LeadsAssigned', 1, {});
  return {
    status: 'assigned',
    lead_id: lead.lead_id,
    buyer_id: slot.buyer_id,
    order,
    sequence,
    lead_type,
  };
}

/** Part of the landing, so that it stands in the trail too where the sweep had to finish the flight. */
function assignedByHand(deps: DistributionDeps, lead: Lead, who: string, slot: Slot, order: Order): Put {
  return auditEntry(deps, {
    who,
    action: 'assigned',
    entity: 'lead',
    entityId: lead.lead_id,
    before: { status: 'pending', reason: lead.reason },
    after: { status: 'assigned', buyer_id: slot.buyer_id, order_id: order.order_id },
  });
}

async function hasLandedAt(deps: DistributionDeps, hold: Hold): Promise<boolean> {
  const lead = await deps.leads.get(hold.lead_id);
  return lead?.order_id === hold.order_id && lead.sequence === hold.sequence;
}

/** Gives a place back that no lead will land on, and opens the buyer's slot again if it had been closed for it. */
export async function giveBack(deps: Pick<DistributionDeps, 'orders' | 'pool'>, hold: Hold): Promise<void> {
  const order = await deps.orders.releasePlace(hold);
  if (order === undefined || !hasRoom(order)) return;
  const slot = await deps.pool.slot(order.buyer);
  if (slot !== undefined && slot.order_id === order.order_id && !slot.has_room)
    await deps.pool.noteRoom(slot, true);
}

function decisionOf(
  deps: DistributionDeps,
  lead: Lead,
  choice: Pick<Decision, 'mode' | 'winner' | 'draw' | 'eligible' | 'turn'> & {
    not_eligible: Readonly<Partial<Record<string, number[]>>>;
  },
): Decision {
  const not_eligible: Record<string, number[]> = {};
  for (const [reason, buyers] of Object.entries(choice.not_eligible))
    if (buyers) not_eligible[reason] = buyers;
  return {
    lead_id: lead.lead_id,
    flight: lead.flight,
    rule: RULE,
    decided_at: deps.runtime.now().toISOString(),
    ...choice,
    not_eligible,
  };
}

function requireSlot(pool: Pool, buyerId: string): Slot {
  const slot = pool.slots.find(({ buyer_id }) => buyer_id === buyerId);
  if (slot === undefined) throw notFound('Buyer');
  return slot;
}

const noRoom = (buyerId: string) =>
  conflict('buyer_has_no_room', `Buyer ${buyerId} has no open order with room for another lead`);

function notRefused(landed: Landed): Exclude<Landed, { status: 'refused' }> {
  if (landed.status === 'refused') throw new Error('Only a flight by hand can be refused');
  return landed;
}
