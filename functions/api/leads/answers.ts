import { addressRow } from '#functions/api/common/address-row';
import { callbackRow } from '#functions/api/common/callback-row';
import { consentRow } from '#functions/api/common/consent-row';
import { deliveryRow } from '#functions/api/common/delivery-row';
import { leadRow } from '#functions/api/common/person';
import { unpackChecks } from '#functions/data/leads/intake-checks';
import { assignmentOf, type Decision, displayId, feedbackOf, type Lead } from '#functions/data/leads/lead';
import type { RefusedAssignment } from '#functions/data/leads/refusals';
import { credits, LEAD } from '#functions/domain/distribution/share-rule';
import type { Compensation, LeadDetails } from '#functions/domain/leads/lead-details';
import { linkOf } from '#functions/platform/links';
import type { LeadDetails as LeadDetailsRow } from '#shared/contract/schemas/leads';

export function detailsAnswer(publicBaseUrl: string, details: LeadDetails): LeadDetailsRow {
  const { lead, order, decision, buyers, replaces } = details;
  const feedback = feedbackOf(lead);
  const nameOf = (buyer: number | undefined | null) =>
    buyer === undefined || buyer === null ? null : (buyers.get(buyer)?.buyer_id ?? String(buyer));
  return {
    lead_id: lead.lead_id,
    display_id: referenceTo(lead)?.display_id ?? null,
    status: lead.status,
    ...leadRow(lead),
    created_at: lead.received_at,
    withdrawn_at: lead.withdrawn_at ?? null,
    erased_at: lead.erased_at ?? null,
    consent_kept_until: details.consentKeptUntil ?? null,
    delivery_timestamp: lead.assigned_at ?? null,
    lead_type: lead.lead_type ?? null,
    reason: lead.status === 'pending' ? (lead.reason ?? null) : null,
    buyer_id: nameOf(lead.buyer ?? lead.intended_buyer),
    order_id: lead.order_id ?? null,
    excel_link: linkOf(publicBaseUrl, order),
    claim_id: lead.claim_id ?? null,
    claim_status: lead.claim_status ?? null,
    opened_at: details.openedAt ?? null,
    feedback: feedback === undefined ? null : { said: feedback.said, at: feedback.at, who: feedback.who },
    feedback_diary: [...details.diary],
    replacement: details.compensation === undefined ? null : replacementRow(details.compensation),
    replaces:
      replaces === undefined
        ? null
        : { lead_id: replaces.lead_id, claim_id: replaces.claim_id, display_id: displayId(replaces) },
    same_person:
      details.samePerson?.map((other) => ({
        lead_id: other.lead_id,
        display_id: referenceTo(other)?.display_id ?? null,
        buyer_id: nameOf(other.buyer),
        received_at: other.received_at,
      })) ?? null,
    confirmation_email: details.confirmationEmail ?? null,
    email_state: addressRow(details.emailState),
    consent: details.consent === undefined ? null : consentRow(details.consent),
    verification_notes: lead.verification_notes ?? [],
    refusals: details.refusals.map((refusal) => refusalRow(refusal, nameOf)),
    checks: unpackChecks(lead),
    decision: decision === undefined ? null : decisionRow(decision, nameOf),
    deliveries: details.deliveries.map((delivery) => deliveryRow(delivery, nameOf(delivery.buyer) ?? '')),
    callbacks: details.callbacks.flatMap((callback) => ('webhook' in callback ? [] : callbackRow(callback))),
  };
}

type NameOf = (buyer: number | null) => string | null;

function refusalRow(refusal: RefusedAssignment, nameOf: NameOf): LeadDetailsRow['refusals'][number] {
  const buyer_id = nameOf(refusal.buyer) ?? '';
  return {
    ...refusal,
    buyer_id,
    display_id: displayId(refusal),
    decision: refusal.decision === undefined ? null : decisionRow(refusal.decision, nameOf),
    deliveries: refusal.deliveries.map((delivery) => deliveryRow(delivery, buyer_id)),
  };
}

function replacementRow({ credit, lead }: Compensation): NonNullable<LeadDetailsRow['replacement']> {
  return {
    owed_since: credit.at,
    order_id: credit.order_id,
    delivered_at: credit.delivery?.at ?? null,
    lead: (lead && referenceTo(lead)) ?? null,
  };
}

function referenceTo(lead: Lead): { lead_id: string; display_id: string } | undefined {
  const assignment = assignmentOf(lead);
  return assignment && { lead_id: lead.lead_id, display_id: displayId(assignment) };
}

function decisionRow(decision: Decision, nameOf: NameOf): NonNullable<LeadDetailsRow['decision']> {
  const shares = credits(decision.eligible.map(([buyer, weight]) => ({ buyer, weight })));
  return {
    ...decision,
    winner: nameOf(decision.winner),
    eligible: decision.eligible.map(([buyer, weight, deficit]) => ({
      buyer_id: nameOf(buyer) ?? String(buyer),
      probability: weight / 100,
      share: ((shares.get(buyer) ?? 0) / LEAD) * 100,
      deficit: deficit / LEAD,
    })),
    not_eligible: Object.entries(decision.not_eligible).flatMap(([reason, buyers]) =>
      buyers.map((buyer) => ({ buyer_id: nameOf(buyer) ?? String(buyer), reason })),
    ),
  };
}
