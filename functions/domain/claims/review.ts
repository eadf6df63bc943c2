/**
 * The automatic review of a filed claim. It verifies a disputed address or number again, stores the evidence, and decides
 * the claim if a rule proves it and the buyer's setting allows it. A stored notification starts it, so it survives
 * crashes. Repeatable.
 */

import * as settingStore from '#functions/data/administration/settings-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Checked, FrozenEvidence } from '#functions/data/claims/evidence';
import * as evidenceStore from '#functions/data/claims/evidence';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import { unpackChecks } from '#functions/data/leads/intake-checks';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { decideClaim } from '#functions/domain/claims/claims';
import {
  automaticDecisionOf,
  frozen,
  gatherEvidence,
  withDuplicatesNow,
} from '#functions/domain/claims/evidence';
import { DomainError } from '#functions/domain/common/errors';
import type { Checks } from '#functions/verification/verification';

export interface ReviewContext extends AddressContext {
  readonly checks: Checks;
}

export async function reviewClaim(context: ReviewContext, leadId: string): Promise<void> {
  const lead = await leadStore.get(context, leadId);
  if (lead?.claim_id === undefined || lead.claim_status !== 'pending') return;
  const claim = await claimStore.get(context, lead.claim_id);
  if (claim?.claim_status !== 'pending') return;
  const [order, buyer] = await Promise.all([
    orderStore.get(context, claim.order_id),
    buyerStore.get(context, claim.buyer),
  ]);
  if (order === undefined || buyer === undefined) return;
  const filed = await filedEvidence(context, claim, lead, order);
  if (filed === undefined || !buyer.auto_decide_claims) return;
  const evidence = await withDuplicatesNow(context, claim, filed);
  const automatic = automaticDecisionOf(claim, order, evidence);
  if (automatic === undefined) return;
  try {
    await decideClaim(
      context,
      { who: 'system', claimId: claim.claim_id, status: automatic.status, notes: automatic.german },
      { evidence, automatic },
    );
  } catch (error) {
    if (!(error instanceof DomainError && OVER.has(error.code))) throw error;
  }
}

/** An admin was faster, or the later lead was compensated. */
const OVER: ReadonlySet<string> = new Set(['claim_already_decided', 'person_known_otherwise']);

/** The evidence at the filing: stored by the first review and read by later ones. */
async function filedEvidence(
  context: ReviewContext,
  claim: Claim,
  lead: Lead,
  order: Order,
): Promise<FrozenEvidence | undefined> {
  const { filed } = await evidenceStore.ofClaim(context, claim.claim_id);
  if (filed !== undefined) return filed;
  const again = await askedAgain(context, claim, lead);
  const evidence = await gatherEvidence(context, claim, [...unpackChecks(lead), ...again]);
  if (evidence === undefined) return undefined;
  const automatic = automaticDecisionOf(claim, order, evidence);
  return evidenceStore.keepFiled(context, claim.claim_id, frozen(evidence, automatic));
}

/** The provider's current answer; empty if its check is off or the provider does not respond. */
async function askedAgain(
  context: ReviewContext,
  { claim_reason_code }: Claim,
  lead: Lead,
): Promise<readonly Checked[]> {
  const kind = ASKED.get(claim_reason_code);
  if (kind === undefined || !(await settingStore.switches(context))[`${kind}_verification`]) return [];
  const { by, status, dead } = await context.checks[kind](lead);
  if (by === undefined) return [];
  return [{ kind, by, result: dead === true ? 'dead' : status, at: context.runtime.now().toISOString() }];
}

const ASKED: ReadonlyMap<Claim['claim_reason_code'], 'email' | 'phone'> = new Map([
  ['falsche_email', 'email'],
  ['falsche_nummer', 'phone'],
]);
