import { leadRow } from '#functions/api/common/person';
import type { PendingLeadInContext } from '#functions/domain/leads/pending-leads';
import type { PendingLead } from '#shared/contract/schemas/pending-leads';
import { formatDateTime } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';

export function pendingLeadRow({ lead, intendedBuyer, nextOpening }: PendingLeadInContext): PendingLead {
  const reason = lead.reason ?? 'no_active_order';
  return {
    lead_id: lead.lead_id,
    ...leadRow(lead),
    created_at: lead.received_at,
    created_at_formatted: formatDateTime(new Date(lead.received_at)),
    reason,
    reason_text: pendingReasonText(reason, intendedBuyer?.buyer_id),
    next_opening: nextOpening?.toISOString() ?? null,
    buyer_id: intendedBuyer?.buyer_id ?? null,
  };
}
