/**
 * The way of a lead to its buyer.
 *
 *     receive ∥ read the pool → choose, settle the ledger → take a place ∥ record the decision → land
 *
 * A distribution attempt is one run of this. Every step is conditional and can be repeated, and a crash after any of them leaves a
 * lead in flight that the reconciliation finds: it takes the distribution attempt over, which fences the old one off, because landing demands
 * the distribution attempt's number. A place whose distribution attempt never landed is given back. See `docs/adr/0003-distribution-attempts.md`.
 */

import { isDeepStrictEqual } from 'node:util';
import type { PoolEntry } from '#functions/data/buyers/buyer';
import type { Pool, PoolStore } from '#functions/data/distribution/pool-store';
import { type Decision, type Lead, type Person, personSchema } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import { hasCapacity, type Order } from '#functions/data/orders/order';
import type { OrderStore } from '#functions/data/orders/order-store';
import type { Reservation, ReservationStore, ReserveResult } from '#functions/data/orders/reservation-store';
import type { Put, Table } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { pendingReason, type Sorted, sortOut } from '#functions/domain/distribution/eligibility';
import type { LedgerBatcher } from '#functions/domain/distribution/ledger-batcher';
import { type Choice, RULE } from '#functions/domain/distribution/share-rule';
import { verify } from '#functions/domain/distribution/verification';
import { deliveryEntry } from '#functions/domain/orders/replacement-ledger';
import { releaseReservation } from '#functions/domain/orders/reservations';
import type { Runtime } from '#functions/runtime';
import type { Checks } from '#functions/verification/verification';
import type { LeadType, PendingReason } from '#shared/contract/constants';

export interface DistributionDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly leads: LeadStore;
  readonly orders: OrderStore;
  readonly reservations: ReservationStore;
  readonly pool: PoolStore;
  readonly ledger: LedgerBatcher;
  readonly checks: Checks;
  /** Whether a check without a certain answer holds the lead. */
  readonly mustBeCertain: boolean;
  readonly runtime: Runtime;
}

/** How a distribution attempt ended. */
export type DistributionResult =
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
  /** Another distribution attempt of the same lead has taken over. */
  | { readonly status: 'overtaken'; readonly lead_id: string };

/**
 * Takes in a lead and distributes it, or gives it to the buyer an admin chose.
 * @param leadId the new lead's id, where somebody has promised it already
 * @throws DomainError 404 for an unknown buyer, 409 for a chosen buyer without room; nothing is stored then
 */
export async function takeIn(
  deps: DistributionDeps,
  person: Person,
  chosenBuyerId: string | undefined,
  leadId = deps.runtime.newId(),
): Promise<Exclude<DistributionResult, { status: 'refused' }>> {
  const at = deps.runtime.now().toISOString();
  const lead: Lead = {
    lead_id: leadId,
    status: 'received',
    ...person,
    received_at: at,
    distribution_attempt: 1,
    in_flight_since: at,
  };
  if (chosenBuyerId === undefined) {
    const [, pool] = await Promise.all([deps.leads.receive(lead), deps.pool.read()]);
    return notRefused(await distribute(deps, lead, pool));
  }
  const pool = await deps.pool.read();
  const poolEntry = requirePoolEntry(pool, chosenBuyerId);
  const wanted: Lead = { ...lead, chosen_buyer: poolEntry.buyer };
  await deps.leads.receive(wanted);
  const result = await distribute(deps, wanted, pool);
  if (result.status !== 'refused') return result;
  await deps.leads.takeBack(wanted);
  throw noCapacity(chosenBuyerId);
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
): Promise<Extract<DistributionResult, { status: 'assigned' }>> {
  const [details, pool] = await Promise.all([deps.leads.details(leadId), deps.pool.read()]);
  if (details === undefined) throw notFound('Lead');
  const { lead, decision } = details;
  const poolEntry = requirePoolEntry(pool, change.buyerId);
  if (poolEntry.order_id === null) throw noCapacity(change.buyerId);
  const { restarted, update } = deps.leads.restartedByHand(lead, {
    person: change.person,
    chosenBuyer: poolEntry.buyer,
    chosenBy: who,
    at: deps.runtime.now().toISOString(),
  });
  const [before, after] = [personSchema.parse(lead), personSchema.parse(restarted)];
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
  const result = await distribute(deps, restarted, pool, { decision });
  if (result.status === 'assigned') return result;
  if (result.status === 'refused') {
    await returnToPending(deps, restarted);
    throw noCapacity(change.buyerId);
  }
  throw conflict('lead_not_pending', 'This lead is no longer pending');
}

/** Puts a lead that could not be assigned by hand back where it was. */
export async function returnToPending(deps: DistributionDeps, lead: Lead): Promise<void> {
  const intendedBuyer = lead.intended_buyer;
  await deps.leads.markPending(lead, {
    reason: lead.reason ?? 'limits_reached',
    ...(intendedBuyer !== undefined && { intendedBuyer }),
    notes: lead.verification_notes ?? [],
  });
}

/** What an earlier distribution attempt of a lead has left. */
export interface Earlier {
  readonly decision?: Decision | undefined;
  /** What it chose and settled before it was left behind. */
  readonly unfinished?: Choice | undefined;
}

/** Flies a lead that is in flight to its end. */
export async function distribute(
  deps: DistributionDeps,
  lead: Lead,
  pool: Pool,
  { decision, unfinished }: Earlier = {},
): Promise<DistributionResult> {
  const { reason, notes } =
    lead.verified === true
      ? { reason: undefined, notes: lead.verification_notes ?? [] }
      : await verify(deps.checks, pool.switches, lead, deps.mustBeCertain);
  if (reason !== undefined) {
    if (unfinished !== undefined) await goToNobody(deps, lead, unfinished, {});
    return markPending(deps, lead, {
      reason,
      notes,
      ...(lead.chosen_buyer !== undefined && { intendedBuyer: lead.chosen_buyer }),
    });
  }
  return lead.chosen_buyer === undefined
    ? distributeByShare(deps, lead, pool, notes, unfinished)
    : assignToChosenBuyer(deps, lead, pool, lead.chosen_buyer, notes, turnOf(decision));
}

async function assignToChosenBuyer(
  deps: DistributionDeps,
  lead: Lead,
  pool: Pool,
  buyer: number,
  notes: readonly string[],
  turn: Decision['turn'],
): Promise<DistributionResult> {
  const poolEntry = pool.entries.find((candidate) => candidate.buyer === buyer);
  if (poolEntry?.active !== true || poolEntry.order_id === null)
    return { status: 'refused', lead_id: lead.lead_id };
  const reserved = await deps.reservations.reserve(poolEntry.order_id, lead);
  if (!reserved.reserved) return { status: 'refused', lead_id: lead.lead_id };
  await deps.leads.record(
    decisionOf(deps, lead, { mode: 'manual', winner: buyer, eligible: [], not_eligible: {}, turn }),
  );
  return assign(deps, lead, poolEntry, reserved, notes);
}

/** The choice by the weights that a lead has behind it which is given by hand now: what it settled stays settled. */
function turnOf(earlier: Decision | undefined): Decision['turn'] {
  if (earlier === undefined || earlier.mode === 'manual') return earlier?.turn;
  return earlier.winner === null ? undefined : earlier;
}

async function distributeByShare(
  deps: DistributionDeps,
  lead: Lead,
  seen: Pool,
  notes: readonly string[],
  unfinished: Choice | undefined,
): Promise<DistributionResult> {
  const full = new Set<number>();
  let pool = seen;
  let standing = unfinished;
  for (;;) {
    const { candidates, notEligible } = sortOut(pool.entries, lead.anlagebetrag, full);
    if (candidates.length === 0 && pool === seen) {
      // Whoever has got room since then has had the backlog looked at, which this lead was not in yet.
      pool = await deps.pool.read();
      full.clear();
      continue;
    }
    if (candidates.length === 0) {
      await goToNobody(deps, lead, standing, notEligible);
      return markPending(deps, lead, { reason: pendingReason(notEligible), notes });
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
    const poolEntry = pool.entries.find(({ buyer }) => buyer === settled.winner);
    if (poolEntry === undefined || poolEntry.order_id === null)
      throw new Error('A winner has a pool entry and an order');
    if (poolEntry.manual_review) {
      await deps.leads.record(decision);
      return markPending(deps, lead, { reason: 'manual_review', intendedBuyer: poolEntry.buyer, notes });
    }
    const [reserved] = await Promise.all([
      deps.reservations.reserve(poolEntry.order_id, lead),
      deps.leads.record(decision),
    ]);
    if (reserved.reserved) return assign(deps, lead, poolEntry, reserved, notes);
    full.add(poolEntry.buyer);
    await deps.pool.noteCapacity(poolEntry, false);
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

async function markPending(
  deps: DistributionDeps,
  lead: Lead,
  outcome: { reason: PendingReason; intendedBuyer?: number; notes: readonly string[] },
): Promise<DistributionResult> {
  const parked = await deps.leads.markPending(lead, outcome);
  if (parked) deps.runtime.metrics.record('LeadsPending', 1, { Reason: outcome.reason });
  return parked
    ? { status: 'pending', lead_id: lead.lead_id, reason: outcome.reason }
    : { status: 'overtaken', lead_id: lead.lead_id };
}

async function assign(
  deps: DistributionDeps,
  lead: Lead,
  poolEntry: PoolEntry,
  reserved: Extract<ReserveResult, { reserved: true }>,
  notes: readonly string[],
): Promise<DistributionResult> {
  const { order, sequence, lead_type } = reserved;
  const assignment = { buyer: poolEntry.buyer, order_id: order.order_id, sequence, lead_type };
  const reservation: Reservation = {
    ...assignment,
    lead_id: lead.lead_id,
    distribution_attempt: lead.distribution_attempt,
  };
  const at = deps.runtime.now().toISOString();
  const [result] = await Promise.all([
    deps.table.transact([
      ...deps.leads.assigned(lead, assignment, poolEntry.channels, at, notes),
      ...(lead_type === 'reimbursement' ? [deliveryEntry({ order, leadId: lead.lead_id, at })] : []),
      ...(lead.chosen_by === undefined ? [] : [assignedByHand(deps, lead, lead.chosen_by, poolEntry, order)]),
    ]),
    hasCapacity(order) ? undefined : deps.pool.noteCapacity(poolEntry, false),
  ]);
  if (!result.ok && !(await isAssignedAs(deps, reservation))) {
    await releaseReservation(deps, reservation);
    return { status: 'overtaken', lead_id: lead.lead_id };
  }
  deps.reservations.confirm(reservation);
  deps.runtime.metrics.record('LeadsAssigned', 1, {});
  return {
    status: 'assigned',
    lead_id: lead.lead_id,
    buyer_id: poolEntry.buyer_id,
    order,
    sequence,
    lead_type,
  };
}

/** Part of the landing, so that it stands in the trail too where the reconciliation had to finish the distribution attempt. */
function assignedByHand(
  deps: DistributionDeps,
  lead: Lead,
  who: string,
  poolEntry: PoolEntry,
  order: Order,
): Put {
  return auditEntry(deps, {
    who,
    action: 'assigned',
    entity: 'lead',
    entityId: lead.lead_id,
    before: { status: 'pending', reason: lead.reason },
    after: { status: 'assigned', buyer_id: poolEntry.buyer_id, order_id: order.order_id },
  });
}

async function isAssignedAs(deps: DistributionDeps, reservation: Reservation): Promise<boolean> {
  const lead = await deps.leads.get(reservation.lead_id);
  return lead?.order_id === reservation.order_id && lead.sequence === reservation.sequence;
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
    distribution_attempt: lead.distribution_attempt,
    rule: RULE,
    decided_at: deps.runtime.now().toISOString(),
    ...choice,
    not_eligible,
  };
}

function requirePoolEntry(pool: Pool, buyerId: string): PoolEntry {
  const poolEntry = pool.entries.find(({ buyer_id }) => buyer_id === buyerId);
  if (poolEntry === undefined) throw notFound('Buyer');
  return poolEntry;
}

const noCapacity = (buyerId: string) =>
  conflict('buyer_has_no_room', `Buyer ${buyerId} has no open order with room for another lead`);

function notRefused(result: DistributionResult): Exclude<DistributionResult, { status: 'refused' }> {
  if (result.status === 'refused') throw new Error('Only a distribution attempt by hand can be refused');
  return result;
}
