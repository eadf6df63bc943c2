/**
 * Distributes a lead to a buyer.
 *
 *     receive ∥ read the pool → choose, settle the ledger → reserve capacity ∥ record the decision → assign
 *
 * One run of this is a distribution attempt. Every step is a conditional write that can be repeated. A crash after any
 * step leaves the lead in flight; reconciliation finds it and starts a new attempt with the next number. The old
 * attempt can then no longer assign the lead, because assigning requires the current number. A reservation of an
 * attempt that did not assign the lead is released. See `docs/adr/0003-distribution-attempts.md`.
 */

import { isKnownTo, lacksConsent, type PoolEntry } from '#functions/data/buyers/buyer';
import type { Context } from '#functions/data/context';
import type { Pool } from '#functions/data/distribution/pool-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as consentStore from '#functions/data/leads/consent';
import {
  type Decision,
  heldFor,
  isBacklogReason,
  type Lead,
  type Person,
  type PersonEdit,
  personSchema,
  type ReceivedLead,
  storedEdit,
} from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { capacityStateOf, NO_CAPACITY } from '#functions/data/orders/order';
import type { Refusal } from '#functions/data/orders/reservation-store';
import * as sourceStore from '#functions/data/sources/source-store';
import { aboutLead, auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { conflict, type DomainError, notFound, notPending } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { assign } from '#functions/domain/distribution/assignment';
import type { DistributionContext, DistributionResult } from '#functions/domain/distribution/attempt';
import {
  asRecorded,
  type NewConsent,
  recordConsent,
  settleConsent,
} from '#functions/domain/distribution/consent';
import {
  alreadyKnown,
  consentWithdrawn,
  isWithdrawn,
  knownNow,
  marksOfOne,
  withKnown,
} from '#functions/domain/distribution/do-not-contact';
import {
  type EligibilitySplit,
  pendingReason,
  refusersOf,
  splitByEligibility,
  withoutFull,
} from '#functions/domain/distribution/eligibility';
import { samePerson } from '#functions/domain/distribution/same-person';
import { type Choice, RULE } from '#functions/domain/distribution/share-rule';
import { type Verified, verifiedBefore, verify } from '#functions/domain/distribution/verification';
import { CONFLICT } from '#functions/platform/retry';
import type { PendingReason } from '#shared/rules/constants';

interface Named extends Pick<Lead, 'lead_id' | 'intake_key'> {
  /** From this instant the request is abandoned: it may have been repeated and refused. */
  readonly givenUpAt?: Date;
  readonly consent?: NewConsent | undefined;
}

/**
 * @throws DomainError 404 for an unknown buyer, 409 for a chosen buyer without capacity or a person who withdrew the consent; the
 *   lead is then not stored
 */
export async function ingest(
  context: DistributionContext,
  person: Person,
  chosenBuyerId: string | undefined,
  { givenUpAt, consent, ...named }: Named = { lead_id: context.runtime.newId() },
): Promise<Exclude<DistributionResult, { status: 'refused' }>> {
  const at = context.runtime.now().toISOString();
  const { lead_id: leadId } = named;
  const lead: Lead = {
    ...named,
    status: 'received',
    ...person,
    received_at: at,
    distribution_attempt: 1,
    in_flight_since: at,
    ...(consent !== undefined && { consent: consent.consent.channels }),
  };
  const receive = (wanted: Lead) => receiveWithConsent(context, wanted, consent);
  const isGivenUp = () => givenUpAt !== undefined && context.runtime.now() >= givenUpAt;
  const given = consent?.consent.given_at;
  if (chosenBuyerId === undefined) {
    if (isGivenUp()) return { status: 'overtaken', lead_id: leadId };
    const [before, pool, marks] = await Promise.all([
      receive(lead),
      poolStore.read(context),
      marksOfOne(context, lead),
    ]);
    if (before !== undefined) return { status: 'overtaken', lead_id: leadId };
    if (await isWithdrawn(context, lead, marks.withdrawnAt, given))
      return takenBack(context, lead, consentWithdrawn());
    const own = await withKnown(context, lead, marks);
    if (own === undefined) return { status: 'overtaken', lead_id: leadId };
    return notRefused(await distribute(context, own, pool));
  }
  const [pool, { withdrawnAt, known }] = await Promise.all([
    poolStore.read(context),
    marksOfOne(context, lead),
  ]);
  if (await isWithdrawn(context, lead, withdrawnAt, given)) throw consentWithdrawn();
  const poolEntry = requirePoolEntry(pool, chosenBuyerId);
  const wanted: Lead = { ...lead, chosen_buyer: poolEntry.buyer };
  if (lacksConsent(poolEntry, lead)) throw consentRequired(chosenBuyerId);
  if (isKnownTo(poolEntry.buyer, known)) throw alreadyKnown(chosenBuyerId);
  if (isGivenUp() || (await receive(wanted)) !== undefined) return { status: 'overtaken', lead_id: leadId };
  const result = await distribute(context, wanted, pool);
  return result.status === 'refused' ? takenBack(context, wanted, noCapacity(chosenBuyerId)) : result;
}

/** @throws DomainError the reason */
async function takenBack(context: Context, lead: Lead, reason: DomainError) {
  const { lead_id } = lead;
  // The reconciliation keeps a lead that it has taken over, so the caller must not send it again as a new one.
  if (!(await leadStore.removeReceived(context, lead))) return { status: 'overtaken', lead_id } as const;
  if (lead.consent !== undefined) await consentStore.erase(context, lead);
  throw reason;
}

async function receiveWithConsent(context: Context, lead: Lead, consent: NewConsent | undefined) {
  const [before, recorded] = await Promise.all([
    leadStore.receive(context, lead),
    consent && recordConsent(context, lead, consent),
  ]);
  if (consent !== undefined && recorded !== undefined)
    await settleConsent(context, lead, consent, { recorded, isStored: before === undefined });
  return before;
}

/**
 * Assigns a pending lead to the buyer that an admin chose. Weights, minimum investment, manual review and verification
 * are skipped; the order's limit applies.
 * @param change.person fields of the lead that the admin edited
 * @param change.expected these fields as they were when the edit began
 * @throws DomainError 404 for an unknown lead or buyer; 409 if the lead is no longer pending or was edited meanwhile, or if the
 *   buyer has no capacity or has refused this lead
 */
export async function assignByHand(
  context: DistributionContext,
  who: string,
  leadId: string,
  change: { person: PersonEdit; expected?: PersonEdit | undefined; buyerId: string },
): Promise<Extract<DistributionResult, { status: 'assigned' }>> {
  const { restarted, pool, decision } = await retryOnConflict(context.runtime, async () => {
    const [details, pool] = await Promise.all([leadStore.details(context, leadId), poolStore.read(context)]);
    if (details === undefined) throw notFound('Lead');
    const { lead, decision, consent } = details;
    const poolEntry = requirePoolEntry(pool, change.buyerId);
    if (poolEntry.order_id === null) throw noCapacity(change.buyerId);
    if (lead.status !== 'pending') throw notPending();
    if (refusersOf(lead).has(poolEntry.buyer)) throw refusedByBuyer(change.buyerId);
    if (lacksConsent(poolEntry, consent?.seed === undefined ? {} : lead))
      throw consentRequired(change.buyerId);
    const { known } = await marksOfOne(context, lead);
    if (isKnownTo(poolEntry.buyer, known)) throw alreadyKnown(change.buyerId);
    requireUnchanged(change.expected, lead);
    const { restarted, update } = leadStore.restartWith(context, lead, context.runtime.now().toISOString(), {
      ...storedEdit(change.person),
      chosen_buyer: poolEntry.buyer,
      chosen_by: who,
      verified: true,
    });
    const edited = editEntry(context, {
      who,
      action: 'updated',
      ...aboutLead(leadId),
      before: personSchema.parse(lead),
      after: personSchema.parse(restarted),
    });
    const restart = await context.table.transact([update, ...edited]);
    return restart.ok ? { restarted, pool, decision } : CONFLICT;
  });
  const result = await distribute(context, restarted, pool, { decision });
  if (result.status === 'assigned') return result;
  if (result.status === 'refused') {
    await returnToPending(context, restarted);
    throw noCapacity(change.buyerId);
  }
  throw notPending();
}

/**
 * Distributes a pending lead again by the share rule. A lead that failed its verification is verified again: it may have been
 * edited, or the service may be back.
 * @throws DomainError 404 for an unknown lead; 409 if it is no longer pending, waits for its person to confirm the consent, or is
 *   under manual review, whose choice stays settled in the ledger until an admin decides
 */
export async function distributeAgain(
  context: DistributionContext,
  who: string,
  leadId: string,
): Promise<Extract<DistributionResult, { status: 'assigned' | 'pending' }>> {
  const restarted = await retryOnConflict(context.runtime, async () => {
    const lead = await leadStore.get(context, leadId);
    if (lead === undefined) throw notFound('Lead');
    if (lead.status !== 'pending' || lead.reason === undefined) throw notPending();
    if (lead.reason === 'consent_unconfirmed')
      throw conflict('consent_unconfirmed', 'The person has to confirm the consent first');
    if (lead.reason === 'manual_review')
      throw conflict('lead_under_review', 'This lead is under manual review. Assign or discard it');
    const at = context.runtime.now().toISOString();
    const isHeld = heldFor(lead) !== undefined;
    const { restarted, update } = leadStore.restartWith(context, lead, at, {
      verified: isBacklogReason(lead.reason) && !isHeld,
      ...(await knownNow(context, [lead]))[0],
      ...(isHeld && !(await holdsLeads(context, lead)) && { must_consent: undefined }),
    });
    return committed(context, restarted, [
      update,
      auditEntry(context, { who, action: 'distributed_again', ...aboutLead(leadId) }),
    ]);
  });
  const [lead, pool] = await Promise.all([asRecorded(context, restarted), poolStore.read(context)]);
  const result = notRefused(await distribute(context, lead, pool));
  if (result.status === 'overtaken') throw notPending();
  return result;
}

/** Whether its source still holds leads without consent. */
async function holdsLeads(context: Context, { source: of }: Lead): Promise<boolean> {
  const source = of === undefined ? undefined : await sourceStore.get(context, of);
  return source?.consent !== 'ignore';
}

export async function returnToPending(context: DistributionContext, lead: Lead): Promise<void> {
  const intendedBuyer = lead.intended_buyer;
  await leadStore.markPending(context, lead, {
    reason: lead.reason ?? 'limits_reached',
    ...(intendedBuyer !== undefined && { intendedBuyer }),
    ...verifiedBefore(lead),
  });
}

export interface Earlier {
  readonly decision?: Decision | undefined;
  /** A choice that was settled without an assignment and must be withdrawn. */
  readonly unfinished?: Choice | undefined;
  readonly held?: readonly Lead[] | undefined;
}

export async function distribute(
  context: DistributionContext,
  lead: Lead,
  pool: Pool,
  { decision, unfinished, held }: Earlier = {},
): Promise<DistributionResult> {
  const waitsFor = lead.chosen_buyer === undefined ? heldFor(lead) : undefined;
  if (waitsFor !== undefined) {
    if (unfinished !== undefined) await recordNoWinner(context, lead, unfinished, {});
    return markPending(context, lead, { reason: waitsFor, ...verifiedBefore(lead) });
  }
  const { reason, ...verified } =
    lead.verified === true
      ? { reason: undefined, ...verifiedBefore(lead) }
      : await verify(context.checks, pool.switches, lead, context.mustBeCertain, context.runtime.now());
  if (reason !== undefined) {
    if (unfinished !== undefined) await recordNoWinner(context, lead, unfinished, {});
    return markPending(context, lead, {
      reason,
      ...verified,
      ...(lead.chosen_buyer !== undefined && { intendedBuyer: lead.chosen_buyer }),
    });
  }
  return lead.chosen_buyer === undefined
    ? distributeByShare(context, lead, pool, verified, { unfinished, held })
    : assignToChosenBuyer(
        context,
        lead,
        pool.entries.find(({ buyer }) => buyer === lead.chosen_buyer),
        verified,
        earlierChoice(decision),
      );
}

async function assignToChosenBuyer(
  context: DistributionContext,
  lead: Lead,
  poolEntry: PoolEntry | undefined,
  verified: Verified,
  earlier_choice: Decision['earlier_choice'],
): Promise<DistributionResult> {
  if (poolEntry?.active !== true || poolEntry.order_id === null || lacksConsent(poolEntry, lead))
    return { status: 'refused', lead_id: lead.lead_id };
  const at = context.runtime.now();
  const reserved = await context.reservations.reserve(poolEntry.order_id, lead, {
    ...termsOf(poolEntry, at),
    byHand: true,
  });
  if (!reserved.reserved) return { status: 'refused', lead_id: lead.lead_id };
  const choice: Chosen = {
    mode: 'manual',
    winner: poolEntry.buyer,
    eligible: [],
    not_eligible: {},
    earlier_choice,
  };
  await leadStore.record(context, decisionOf(context, lead, choice));
  return assign(context, lead, { poolEntry, reserved, verified }, at);
}

export const termsOf = ({ schedule, paced }: PoolEntry, at: Date) => ({ at, schedule, paced });

/** The earlier choice by weights of a lead that is now assigned by hand. It stays settled in the ledger. */
function earlierChoice(earlier: Decision | undefined): Decision['earlier_choice'] {
  if (earlier === undefined || earlier.mode === 'manual') return earlier?.earlier_choice;
  return earlier.winner === null ? undefined : earlier;
}

async function distributeByShare(
  context: DistributionContext,
  lead: Lead,
  expected: Pool,
  verified: Verified,
  { unfinished, held }: Pick<Earlier, 'unfinished' | 'held'>,
): Promise<DistributionResult> {
  const same = await samePerson(context, lead, held);
  // An earlier lead of the person was in flight for too long: the reconciliation resumes both.
  if (same === undefined) return { status: 'overtaken', lead_id: lead.lead_id };
  const refused = new Map<number, Refusal>();
  let pool = expected;
  let previous = unfinished;
  for (;;) {
    const at = context.runtime.now();
    const { candidates, notEligible } = splitByEligibility(pool.entries, lead, at, {
      refused,
      received: same.buyers,
      refusers: refusersOf(lead),
    });
    if (candidates.length === 0 && pool === expected) {
      // A buyer may have gained capacity since the read, and its backlog run did not see this lead yet.
      pool = await poolStore.read(context);
      refused.clear();
      continue;
    }
    if (candidates.length === 0) {
      await recordNoWinner(context, lead, previous, notEligible);
      return markPending(context, lead, { reason: pendingReason(notEligible), ...verified });
    }
    const settled = await context.ledger.choose(pool, lead, candidates, previous);
    previous = settled;
    context.runtime.metrics.record('ShareDistance', context.ledger.distance(), {});
    const among = withoutFull({ candidates, notEligible }, settled.full);
    const decision = decisionAt(at, lead, {
      mode: settled.mode,
      winner: settled.winner,
      draw: settled.draw,
      eligible: among.candidates.map(({ buyer, weight }) => [buyer, weight, settled.before.get(buyer) ?? 0]),
      not_eligible: among.notEligible,
    });
    const poolEntry = pool.entries.find(({ buyer }) => buyer === settled.winner);
    if (poolEntry === undefined || poolEntry.order_id === null)
      throw new Error('The chosen buyer has no pool entry or order');
    if (poolEntry.manual_review) {
      await leadStore.record(context, decision);
      const { buyer: intendedBuyer } = poolEntry;
      return markPending(context, lead, { reason: 'manual_review', intendedBuyer, ...verified });
    }
    const orderId = poolEntry.order_id;
    const [reserved] = await Promise.all([
      context.reservations
        .reserve(orderId, lead, termsOf(poolEntry, at))
        .finally(() => context.ledger.ahead.answered(orderId, lead)),
      leadStore.record(context, decision),
    ]);
    if (reserved.reserved)
      return assign(context, lead, { poolEntry, reserved, verified, checks: same.checks }, at);
    refused.set(poolEntry.buyer, reserved.refusal);
    const capacityState = reserved.order ? capacityStateOf(reserved.order, poolEntry, at) : NO_CAPACITY;
    await poolStore.noteCapacity(context, poolEntry, capacityState);
  }
}

async function recordNoWinner(
  context: DistributionContext,
  lead: Lead,
  previous: Choice | undefined,
  notEligible: EligibilitySplit['notEligible'],
): Promise<void> {
  await Promise.all([
    previous && context.ledger.withdraw(lead, previous),
    leadStore.record(
      context,
      decisionOf(context, lead, { mode: 'weights', winner: null, eligible: [], not_eligible: notEligible }),
    ),
  ]);
}

export async function markPending(
  context: DistributionContext,
  lead: ReceivedLead,
  outcome: { reason: PendingReason; intendedBuyer?: number } & Verified,
): Promise<DistributionResult> {
  const isPending = await leadStore.markPending(context, lead, outcome);
  if (isPending) context.runtime.metrics.record('LeadsPending', 1, { Reason: outcome.reason });
  return isPending
    ? { status: 'pending', lead_id: lead.lead_id, reason: outcome.reason }
    : { status: 'overtaken', lead_id: lead.lead_id };
}

type Chosen = Pick<Decision, 'mode' | 'winner' | 'draw' | 'eligible' | 'earlier_choice'> & {
  not_eligible: Readonly<Partial<Record<string, number[]>>>;
};

export const decisionOf = (context: Pick<Context, 'runtime'>, lead: ReceivedLead, choice: Chosen) =>
  decisionAt(context.runtime.now(), lead, choice);

function decisionAt(at: Date, lead: ReceivedLead, choice: Chosen): Decision {
  const not_eligible: Record<string, number[]> = {};
  for (const [reason, buyers] of Object.entries(choice.not_eligible))
    if (buyers) not_eligible[reason] = buyers;
  return {
    lead_id: lead.lead_id,
    distribution_attempt: lead.distribution_attempt,
    rule: RULE,
    decided_at: at.toISOString(),
    ...choice,
    not_eligible,
  };
}

function requirePoolEntry(pool: Pool, buyerId: string): PoolEntry {
  const poolEntry = pool.entries.find(({ buyer_id }) => buyer_id === buyerId);
  if (poolEntry === undefined) throw notFound('Buyer');
  return poolEntry;
}

const refusedByBuyer = (buyerId: string) =>
  conflict('refused_by_buyer', `Buyer ${buyerId} has refused this lead`);

const consentRequired = (buyerId: string) =>
  conflict('consent_required', `Buyer ${buyerId} takes only leads with consent to calls`);

const noCapacity = (buyerId: string) =>
  conflict('buyer_has_no_capacity', `Buyer ${buyerId} has no open order with capacity for another lead`);

function notRefused(result: DistributionResult): Exclude<DistributionResult, { status: 'refused' }> {
  if (result.status === 'refused') throw new Error('A distribution attempt by the share rule was refused');
  return result;
}
