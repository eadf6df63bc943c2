import { personRow } from '#functions/api/common/person';
import { displayId, feedbackOf } from '#functions/data/leads/lead';
import { claimQuotaOf, type Order } from '#functions/data/orders/order';
import type { AssignedLead, LeadsView } from '#functions/domain/leads/leads-view';
import { reorderOf } from '#functions/domain/orders/renewal';
import type { BuyerShare, ShareOfDays } from '#functions/domain/statistics/share';
import type { Answer } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { reasonText } from '#shared/rules/claim-windows';
import { formatDateTime } from '#shared/rules/formats';

const PART = { partial: true } as const;

export function viewAnswer(view: LeadsView, admin: boolean, now: Date): Answer<'viewLeads'> {
  const { order } = view;
  const viewed = view.leads.map((lead) => viewedLead(lead, order));
  return {
    order: {
      order_id: order.order_id,
      buyer_id: view.buyer.buyer_id,
      buyer_order_number: order.buyer_order_number,
      lead_limit: order.lead_limit,
      leads_received: order.leads_received,
      status: view.status,
      order_created_at: order.created_at,
      comments: view.comments,
      max_claim_days: order.max_claim_days,
      min_days_for_ne: order.min_days_for_ne,
      decision_days: order.decision_days,
      default_decision: order.default_decision,
      claim_quota: claimQuotaOf(order) ?? null,
      buyer_type: order.buyer_type,
    },
    reorder: reorderAnswer(view),
    leads: {
      original: viewed.filter(({ lead_type }) => lead_type === 'original'),
      reimbursement: viewed.filter(({ lead_type }) => lead_type === 'reimbursement'),
    },
    summary: {
      pending_reimbursements: order.reimbursement_pending,
      delivered_reimbursements: order.reimbursement_delivered,
      last_lead_at: viewed[0]?.delivered_at ?? null,
    },
    ...(view.complete ? {} : PART),
    admin,
    now: now.toISOString(),
  };
}

function reorderAnswer({ order, buyer }: LeadsView): Answer<'viewLeads'>['reorder'] {
  const reorder = reorderOf(order, buyer);
  return reorder === undefined ? null : { state: reorder.state, lead_limit: reorder.lead_limit };
}

function viewedLead({ lead, assignment }: AssignedLead, order: Order): ViewedLead {
  const feedback = feedbackOf(lead);
  const at = formatDateTime(new Date(assignment.assigned_at));
  return {
    lead_id: lead.lead_id,
    display_id: displayId(assignment),
    ...personRow(lead, 'de'),
    ...(lead.erased_at !== undefined && { erased: true as const }),
    ...(lead.consent !== undefined && lead.erased_at === undefined && { consent: true as const }),
    ...(lead.withdrawn_at !== undefined && { withdrawn_at: lead.withdrawn_at }),
    delivery_timestamp: at,
    delivery_timestamp_formatted: at,
    delivered_at: assignment.assigned_at,
    lead_type: assignment.lead_type,
    claim_status: lead.claim_status ?? null,
    claim_id: lead.claim_id ?? null,
    claim_reason:
      lead.claim_reason === undefined ? null : reasonText(lead.claim_reason, order.min_days_for_ne),
    ...(lead.claim_status === 'pending' &&
      lead.claim_decide_by !== undefined && { decide_by: lead.claim_decide_by }),
    ...(feedback && { feedback: feedback.said }),
    ...(lead.feedback?.order_id === lead.order_id && { feedback_entries: lead.feedback?.entries ?? 1 }),
  };
}

export function shareAnswer({ weight, asOf, order, lastDays }: BuyerShare): Answer<'viewShare'> {
  const row = (days: ShareOfDays | null) => days && shareRow(days, weight);
  return { agreed_share: weight / 100, as_of: asOf, order: row(order), last_days: row(lastDays) };
}

function shareRow({ from, to, entitled, received, byHand, missed }: ShareOfDays, weight: number) {
  return {
    from,
    to,
    entitled,
    received,
    distance: received - entitled,
    // Computed from the displayed figures, so that a reader gets the same result.
    received_share: entitled === 0 ? null : Math.round((weight * received) / entitled) / 100,
    by_hand: byHand,
    missed: [...missed].map(([reason, leads]) => ({ reason, leads })),
  };
}
