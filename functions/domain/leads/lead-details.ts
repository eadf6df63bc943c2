import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import type { DataContext } from '#functions/data/context';
import type { AddressState } from '#functions/data/deliveries/address';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import { type Consent, consentWithWording } from '#functions/data/leads/consent';
import type { LeadDiary } from '#functions/data/leads/feedback';
import { isKept } from '#functions/data/leads/kept-consent-store';
import {
  type Assignment,
  assignmentOf,
  type Decision,
  type Delivery,
  type Lead,
} from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import type { RefusedAssignment } from '#functions/data/leads/refusals';
import * as listViewStore from '#functions/data/orders/list-view-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import type { AnyCallback } from '#functions/data/sources/callback-store';
import { notFound } from '#functions/domain/common/errors';
import { type ConfirmationEmail, confirmationEmail } from '#functions/domain/leads/confirmation';
import { type Credited, creditedClaims } from '#functions/domain/orders/replacement-ledger';

export interface Compensation {
  readonly credit: Credited;
  readonly lead: Lead | undefined;
}

export interface LeadDetails {
  readonly lead: Lead;
  readonly order: Order | undefined;
  readonly decision: Decision | undefined;
  readonly deliveries: readonly Delivery[];
  readonly refusals: readonly RefusedAssignment[];
  readonly callbacks: readonly AnyCallback[];
  readonly diary: LeadDiary;
  readonly buyers: ReadonlyMap<number, Buyer>;
  readonly openedAt: string | undefined;
  readonly compensation: Compensation | undefined;
  readonly replaces: Claim | undefined;
  /** Other leads of the person; undefined if there was no check, as for leads that an admin posted. */
  readonly samePerson: readonly Lead[] | undefined;
  /** With its wording. */
  readonly consent: Consent | undefined;
  readonly confirmationEmail: ConfirmationEmail | undefined;
  readonly emailState: AddressState | undefined;
  readonly consentKeptUntil: string | undefined;
}

export async function leadDetails(context: AddressContext, leadId: string): Promise<LeadDetails> {
  const details = await leadStore.details(context, leadId);
  if (details === undefined) throw notFound('Lead');
  const { lead, decision, refusals } = details;
  const keptUntil = details.consent?.kept_until;
  const assignment = assignmentOf(lead);
  const same = await samePersonOf(context, lead);
  const decisions = [decision, ...refusals.map((refusal) => refusal.decision)];
  const [order, buyers, openedAt, replacement, emailState, consent, confirmation] = await Promise.all([
    lead.order_id === undefined ? undefined : orderStore.get(context, lead.order_id),
    namesOf(context, [lead, ...(same ?? []), ...refusals], decisions),
    assignment && listViewStore.firstAfter(context, assignment.order_id, assignment.assigned_at),
    replacementOf(context, lead, assignment),
    lead.email === '' ? undefined : addressStore.addressState(context, lead.email),
    lead.consent && details.consent && consentWithWording(context, leadId, details.consent),
    confirmationEmail(context, lead),
  ]);
  const proofIsKept = keptUntil !== undefined && isKept(keptUntil, context.runtime.now());
  return {
    ...details,
    order,
    buyers,
    openedAt,
    ...replacement,
    samePerson: same,
    confirmationEmail: confirmation,
    emailState,
    consent,
    consentKeptUntil: proofIsKept ? keptUntil : undefined,
  };
}

/** Follows only from the whole ledger, so all of the buyer's entries are read, but only for leads that concern replacements. */
async function replacementOf(
  context: AddressContext,
  lead: Lead,
  assignment: Assignment | undefined,
): Promise<Pick<LeadDetails, 'compensation' | 'replaces'>> {
  const nothing = { compensation: undefined, replaces: undefined };
  const isReplacement = lead.lead_type === 'reimbursement';
  if (assignment === undefined || (lead.claim_status !== 'approved' && !isReplacement)) return nothing;
  const credited = creditedClaims(await replacementStore.ofBuyer(context, assignment.buyer));
  if (isReplacement) {
    const credit = credited.find(({ delivery }) => delivery?.lead_id === lead.lead_id);
    return { ...nothing, replaces: credit && (await claimStore.get(context, credit.claim_id)) };
  }
  const credit = credited.find(({ claim_id }) => claim_id === lead.claim_id);
  if (credit === undefined) return nothing;
  const replacement =
    credit.delivery === null ? undefined : await leadStore.get(context, credit.delivery.lead_id);
  return { ...nothing, compensation: { credit, lead: replacement } };
}

async function samePersonOf(
  context: DataContext,
  { status, fingerprints, duplicate_of, earlier_leads = [], later_leads = new Set() }: Lead,
): Promise<readonly Lead[] | undefined> {
  if (status === 'discarded' || (fingerprints === undefined && duplicate_of === undefined)) return undefined;
  const ids = [...(duplicate_of === undefined ? [] : [duplicate_of]), ...earlier_leads, ...later_leads];
  const leads = ids.length === 0 ? [] : await leadStore.getMany(context, ids);
  return leads.flatMap((lead) => lead ?? []);
}

async function namesOf(
  context: DataContext,
  leads: readonly Pick<Lead, 'buyer' | 'intended_buyer'>[],
  decisions: readonly (Decision | undefined)[],
): Promise<ReadonlyMap<number, Buyer>> {
  const wanted = new Set<number>();
  const winners = decisions.map((decision) => decision?.winner);
  for (const buyer of [...leads.flatMap((lead) => [lead.buyer, lead.intended_buyer]), ...winners])
    if (buyer !== undefined && buyer !== null) wanted.add(buyer);
  for (const decision of decisions) {
    for (const [buyer] of decision?.eligible ?? []) wanted.add(buyer);
    for (const buyer of Object.values(decision?.not_eligible ?? {}).flat()) wanted.add(buyer);
  }
  return buyerStore.getMany(context, [...wanted]);
}
