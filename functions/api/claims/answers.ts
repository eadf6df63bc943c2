import type * as z from 'zod/mini';
import { personRow } from '#functions/api/common/person';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { Claim } from '#functions/data/claims/claim';
import { displayId } from '#functions/data/leads/lead';
import type { Replacement } from '#functions/data/orders/replacement';
import { type ClaimInContext, type ClaimPage, MAX_SORTED_CLAIMS } from '#functions/domain/claims/claim-list';
import { reversibleUntil } from '#functions/domain/claims/reversible';
import { historyOf } from '#functions/domain/orders/replacement-ledger';
import type { Answer } from '#shared/contract/schemas';
import type { ClaimRow, publicClaim, ReplacementRow } from '#shared/contract/schemas/claims';
import { formatDateTime } from '#shared/rules/formats';

const formatted = (instant: string) => formatDateTime(new Date(instant));

/** What the holder of a link may see. */
export function publicAnswer(claim: Claim, basis: string[] = []): z.input<typeof publicClaim> {
  return {
    claim_id: claim.claim_id,
    lead_id: claim.lead_id,
    display_id: displayId(claim),
    order_id: claim.order_id,
    claim_status: claim.claim_status,
    claim_reason: claim.claim_reason,
    created_at: claim.created_at,
    created_at_formatted: formatted(claim.created_at),
    processed_at: claim.processed_at,
    processed_at_formatted: claim.processed_at === null ? null : formatted(claim.processed_at),
    admin_notes: claim.admin_notes,
    decide_by: claim.decide_by ?? null,
    default_decision: claim.default_decision ?? 'none',
    basis,
  };
}

export function rowAnswer({ claim, lead, order, buyer }: ClaimInContext): ClaimRow {
  return {
    ...publicAnswer(claim),
    claim_reason_code: claim.claim_reason_code,
    rule: claim.rule ?? null,
    reversible_until: reversibleUntil(claim)?.toISOString() ?? null,
    reversed_at: claim.reversed_at ?? null,
    ...personRow(lead ?? {}, 'en'),
    anrede: lead?.anrede ?? '',
    delivery_timestamp: lead?.assigned_at === undefined ? '' : formatted(lead.assigned_at),
    buyer_id: buyer.buyer_id,
    buyer_email: buyer.buyer_email,
    buyer_order_number: order.buyer_order_number,
    order_created_at: order.created_at,
    leads_received: order.leads_received,
    lead_limit: order.lead_limit,
    total_claims: order.total_claims,
    pending_claims: order.pending_claims,
    approved_claims: order.approved_claims,
    rejected_claims: order.rejected_claims,
  };
}

export function pageAnswer(found: ClaimPage, page: number, limit: number): Answer<'listClaims'> {
  const { claims, total, sortedByDateInstead } = found;
  return {
    claims: claims.map(rowAnswer),
    pagination: {
      page,
      limit,
      totalPages: Math.max(1, Math.ceil(total / limit)),
      total,
      ...(sortedByDateInstead && { notice: unsorted() }),
    },
  };
}

const unsorted = () =>
  `More than ${MAX_SORTED_CLAIMS.toLocaleString('en')} claims cannot be sorted by this column; they are sorted by date. Filter the list to sort it.`;

/** Newest first. @param entries oldest first */
export function historyAnswer(
  buyer: Pick<Buyer, 'balance_count'>,
  entries: readonly Replacement[],
): { balance_count: number; owed: number; entries: ReplacementRow[] } {
  const history = historyOf(entries);
  return {
    balance_count: buyer.balance_count,
    owed: history.at(-1)?.owed ?? 0,
    entries: history
      .map(({ entry, claim_id, balance, owed }) => ({
        at: entry.at,
        at_formatted: formatted(entry.at),
        kind: entry.kind,
        amount: entry.amount,
        order_id: entry.order_id,
        claim_id,
        lead_id: entry.lead_id,
        balance_after: balance,
        owed_after: owed,
      }))
      .reverse(),
  };
}
