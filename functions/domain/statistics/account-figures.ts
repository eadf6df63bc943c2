import type { Counted } from '#functions/data/statistics/statistics-store';
import { nameOf, type Part } from '#functions/data/statistics/sums';

/**
 * A lead counts in the month of its delivery while it is in its order; a claim in the month of its filing, with its current status.
 * Leads counted before orders were recorded are excluded.
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

const monthOf = (day: string) => day.slice(0, 7);
