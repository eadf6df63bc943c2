import type { ClaimRow } from '#shared/contract/schemas/claims';
import { isOverdue } from '#shared/rules/claim-windows';
import type { DefaultDecision } from '#shared/rules/constants';
import { berlinDay, formatDay, workingDaysBetween } from '#shared/rules/working-days';

/** How close the decision deadline is. */
export type Urgency = 'overdue' | 'soon' | 'later';

/** Working days after today within which a decision is due soon. */
const SOON_WORKING_DAYS = 2;

type Deadline = Pick<ClaimRow, 'claim_status' | 'decide_by' | 'default_decision'>;

/** @returns undefined for a claim without a deadline, or one that is decided */
export function urgencyOf({ claim_status, decide_by }: Deadline, now: Date): Urgency | undefined {
  if (decide_by === null || claim_status !== 'pending') return undefined;
  if (isOverdue(decide_by, now)) return 'overdue';
  return workingDaysBetween(berlinDay(now), decide_by) <= SOON_WORKING_DAYS ? 'soon' : 'later';
}

/** `02.12.2026, then approved`, `02.12.2026, overdue`; undefined like the urgency. */
export function deadlineText(claim: Deadline, now: Date): string | undefined {
  const urgency = urgencyOf(claim, now);
  if (urgency === undefined || claim.decide_by === null) return undefined;
  const day = formatDay(claim.decide_by);
  return urgency === 'overdue' ? `${day}, overdue` : `${day}${thenText(claim.default_decision)}`;
}

export const URGENCY_FILTERS = ['all', 'soon', 'overdue'] as const;
export type UrgencyFilter = (typeof URGENCY_FILTERS)[number];

/** The matching claims. Overdue claims also count as due soon. Except for `all`, the earliest deadline comes first. */
export function urgent(claims: readonly ClaimRow[], filter: UrgencyFilter, now: Date): readonly ClaimRow[] {
  if (filter === 'all') return claims;
  return claims
    .filter((claim) => {
      const urgency = urgencyOf(claim, now);
      return urgency === 'overdue' || (filter === 'soon' && urgency === 'soon');
    })
    .toSorted((a, b) => ((a.decide_by ?? '') < (b.decide_by ?? '') ? -1 : 1));
}

function thenText(defaultDecision: DefaultDecision): string {
  switch (defaultDecision) {
    case 'none':
      return '';
    case 'approve':
      return ', then approved';
    case 'reject':
      return ', then rejected';
    default:
      return defaultDecision satisfies never;
  }
}
