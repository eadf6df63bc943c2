/** What a lead counts for in the account of its buyer. */
import type { Counted } from '#functions/data/statistics/statistics-store';
import { nameOf, type Part } from '#functions/data/statistics/sums';

/**
 * A lead counts in the month in which it was delivered, as long as it is in its order; its claim in the month in which it was
 * filed, with its present status and whatever became of the lead. What was counted before orders were noted is left out.
 */
export function accountParts({ assignment, claim }: Pick<Counted, 'assignment' | 'claim'>): Part[] {
  const parts: Part[] = [];
  if (assignment?.order !== undefined) {
    const figure = assignment.type === 'original' ? 'originals' : 'replacements';
    const month = nameOf.accountMonth(assignment.buyer, monthOf(assignment.day));
    parts.push([month, `${figure}:${assignment.order}`, 1]);
  }
  if (claim?.order !== undefined) {
    const month = nameOf.accountMonth(claim.buyer, monthOf(claim.day));
    parts.push([month, `claims:${claim.order}`, 1]);
    if (claim.status !== 'pending') parts.push([month, `${claim.status}:${claim.order}`, 1]);
  }
  return parts;
}

/** @param day `2026-11-22` */
const monthOf = (day: string) => day.slice(0, 7);
