/**
 * Gathers the evidence about a claim: checks of the lead, leads of the same person that the buyer has, the delivery, the buyer's
 * feedback, and the claims on the source, which only admins see. Nothing else about other buyers is shown.
 */

import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Checked, Evidence, FrozenEvidence } from '#functions/data/claims/evidence';
import * as evidenceStore from '#functions/data/claims/evidence';
import type { Context, DataContext } from '#functions/data/context';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import { unpackChecks } from '#functions/data/leads/intake-checks';
import { type Delivery, feedbackOf, isOfAssignment, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as searchIndex from '#functions/data/leads/search-index';
import * as listViewStore from '#functions/data/orders/list-view-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { sourceDays } from '#functions/data/statistics/sums';
import { notFound } from '#functions/domain/common/errors';
import { type AutomaticDecision, automaticDecision } from '#shared/rules/claim-evidence-rules';
import { MAX_PHONE_DIGITS, normalise, phoneDigits } from '#shared/rules/search-text';
import { addDays, berlinDay } from '#shared/rules/working-days';

const SOURCE_DAYS = 30;
const MAX_CANDIDATES = 100;
const MAX_DUPLICATES = 5;
const MAX_ATTEMPTS = 20;
/** A shorter number does not identify a person. */
const MIN_DIGITS = 6;

export async function gatherEvidence(
  context: AddressContext,
  claim: Claim,
  known?: readonly Checked[],
): Promise<Evidence | undefined> {
  const details = await leadStore.details(context, claim.lead_id);
  if (details === undefined) return undefined;
  const { lead } = details;
  const assigned_at = lead.assigned_at ?? claim.created_at;
  const [{ duplicates, claimed_later }, opened, sourceClaims, address] = await Promise.all([
    samePerson(context, claim, lead),
    listViewStore.firstAfter(context, claim.order_id, assigned_at),
    sourceClaimsOf(context, lead),
    lead.email === '' ? undefined : addressStore.addressState(context, lead.email),
  ]);
  const deliveries = details.deliveries.filter((delivery) => isOfAssignment(delivery, lead));
  const feedback = feedbackOf(lead);
  return {
    at: context.runtime.now().toISOString(),
    assigned_at,
    checks: [...(known ?? unpackChecks(lead))],
    duplicates,
    claimed_later,
    deliveries: deliveries.map(({ channel, status, attempts }) => ({
      channel,
      status,
      attempts: attempts.slice(-MAX_ATTEMPTS).map(({ at, outcome }) => ({ at, outcome })),
    })),
    delivered_at: firstDelivered(deliveries),
    opened_at: opened ?? null,
    source_claims: sourceClaims,
    feedback: feedback === undefined ? null : { said: feedback.said, at: feedback.at },
    address: address === undefined ? null : { state: address.state, at: address.last_at, code: address.code },
  };
}

export function automaticDecisionOf(
  claim: Pick<Claim, 'claim_reason_code' | 'created_at'>,
  order: Pick<Order, 'max_claim_days' | 'min_days_for_ne'>,
  evidence: Evidence,
): AutomaticDecision | undefined {
  return automaticDecision({
    ...evidence,
    reason: claim.claim_reason_code,
    filedAt: claim.created_at,
    maxClaimDays: order.max_claim_days,
    minDaysForNe: order.min_days_for_ne,
  });
}

export function frozen(evidence: Evidence, automatic: AutomaticDecision | undefined): FrozenEvidence {
  return {
    ...evidence,
    automatic: automatic === undefined ? null : { rule: automatic.rule, status: automatic.status },
  };
}

export async function evidenceNow(
  context: AddressContext,
  claim: Claim,
): Promise<FrozenEvidence | undefined> {
  const { filed } = await evidenceStore.ofClaim(context, claim.claim_id);
  const [evidence, order] = await Promise.all([
    gatherEvidence(context, claim, filed?.checks),
    orderStore.get(context, claim.order_id),
  ]);
  if (evidence === undefined || order === undefined) return undefined;
  return frozen(evidence, automaticDecisionOf(claim, order, evidence));
}

export interface KnownOfClaim {
  readonly evidence: Evidence | undefined;
  readonly suggestion: AutomaticDecision | undefined;
}

export async function knownOfClaim(context: AddressContext, claimId: number): Promise<KnownOfClaim> {
  const claim = await claimStore.get(context, claimId);
  if (claim === undefined) throw notFound('Claim');
  if (claim.claim_status !== 'pending') {
    const { filed, decided } = await evidenceStore.ofClaim(context, claimId);
    return { evidence: decided ?? filed, suggestion: undefined };
  }
  const [evidence, order] = await Promise.all([
    evidenceNow(context, claim),
    orderStore.get(context, claim.order_id),
  ]);
  const suggestion =
    evidence !== undefined && order !== undefined ? automaticDecisionOf(claim, order, evidence) : undefined;
  return { evidence, suggestion };
}

const emailOf = ({ email }: Pick<Lead, 'email'>) => email.trim().toLowerCase();

type SamePerson = Pick<Evidence, 'duplicates' | 'claimed_later'>;

/** The person's other leads with this buyer: found by `earlier_leads` and the search index, then compared in full. */
async function samePerson(context: DataContext, claim: Claim, lead: Lead): Promise<SamePerson> {
  const [email, phone] = [emailOf(lead), phoneDigits(lead.telefon)];
  const words = [
    ...(email === '' ? [] : [normalise(email)]),
    ...(phone.length < MIN_DIGITS ? [] : [phone.slice(0, MAX_PHONE_DIGITS)]),
  ];
  const found = await Promise.all(words.map((word) => searchIndex.leadsWith(context, word, MAX_CANDIDATES)));
  const ids = new Set([...(lead.earlier_leads ?? []), ...found.flat()]);
  ids.delete(lead.lead_id);
  const others = ids.size === 0 ? [] : await leadStore.getMany(context, [...ids]);
  const duplicates: Evidence['duplicates'] = [];
  const claimedLater: Evidence['claimed_later'] = [];
  for (const other of others) {
    if (!isWith(other, claim.buyer)) continue;
    const { lead_id, order_id, sequence, assigned_at } = other;
    if (order_id === undefined || sequence === undefined || assigned_at === undefined) continue;
    const same: Evidence['duplicates'][number]['same'] = [];
    if (phone.length >= MIN_DIGITS && phoneDigits(other.telefon) === phone) same.push('phone');
    if (email !== '' && emailOf(other) === email) same.push('email');
    if (same.length === 0) continue;
    const claim_status = other.claim_status ?? null;
    if (isBefore({ lead_id, assigned_at }, lead))
      duplicates.push({ lead_id, order_id, sequence, delivered_at: assigned_at, same, claim_status });
    else if (claim_status === 'pending' || claim_status === 'approved')
      claimedLater.push({ lead_id, order_id, sequence, same, claim_status });
  }
  duplicates.sort((one, other) => one.delivered_at.localeCompare(other.delivered_at));
  return { duplicates: duplicates.slice(0, MAX_DUPLICATES), claimed_later: claimedLater };
}

function isWith(lead: Lead | undefined, buyer: number): lead is Lead {
  return lead?.status === 'assigned' && lead.buyer === buyer;
}

/** Removes earlier leads that the buyer no longer has, and updates the claim status of the others: a compensated one proves nothing. */
export async function withDuplicatesNow<E extends Evidence>(
  context: DataContext,
  claim: Claim,
  evidence: E,
): Promise<E> {
  if (evidence.duplicates.length === 0) return evidence;
  const now = await leadStore.ofEach(context, evidence.duplicates);
  const duplicates = evidence.duplicates.flatMap((duplicate, at) => {
    const other = now[at];
    return isWith(other, claim.buyer) ? [{ ...duplicate, claim_status: other.claim_status ?? null }] : [];
  });
  return { ...evidence, duplicates };
}

/** Leads assigned at the same time are ordered by ID, so that only one of two counts as later. */
function isBefore(one: { readonly lead_id: string; readonly assigned_at: string }, lead: Lead): boolean {
  const { assigned_at = '' } = lead;
  return one.assigned_at === assigned_at ? one.lead_id < lead.lead_id : one.assigned_at < assigned_at;
}

function firstDelivered(deliveries: readonly Delivery[]): string | null {
  const times = deliveries.flatMap(({ attempts, status, updated_at }) => {
    const first = attempts.find(({ outcome }) => outcome === 'delivered')?.at;
    return first ?? (status === 'delivered' ? updated_at : []);
  });
  return times.sort()[0] ?? null;
}

async function sourceClaimsOf(context: Context, { source }: Lead): Promise<Evidence['source_claims']> {
  if (source === undefined) return null;
  const today = berlinDay(context.runtime.now());
  const days = await sourceDays(context, addDays(today, 1 - SOURCE_DAYS), today);
  const claims = { filed: 0, approved: 0, rejected: 0 };
  for (const { sums } of days.filter((day) => day.source === source))
    for (const [name, value] of sums) {
      const figure = FIGURES.get(name.slice(0, name.indexOf(':')));
      if (figure !== undefined) claims[figure] += value;
    }
  // A rejection from before they were counted (November 2026) can be reversed, which makes the sum negative.
  return { ...claims, days: SOURCE_DAYS, rejected: Math.max(0, claims.rejected) };
}

const FIGURES: ReadonlyMap<string, 'filed' | 'approved' | 'rejected'> = new Map([
  ['claimed', 'filed'],
  ['approved', 'approved'],
  ['rejected', 'rejected'],
]);
