/** What a lead counts for in the account of its buyer. */
import { type AccountMonthName, nameOfAccountMonth, nameOfFigure } from '#functions/data/statistics/accounts';
import type { Sums } from '#functions/data/statistics/source-figures';
import type { Counted } from '#functions/data/statistics/statistics-store';

/**
 * A lead counts in the month in which it was delivered, as long as it is in its order; its claim in the month in which it was
 * filed, with its present status and whatever became of the lead. What was counted before orders were noted is left out.
 */
export function accountSums({
  assignment,
  claim,
}: Pick<Counted, 'assignment' | 'claim'>): { readonly name: AccountMonthName; readonly sums: Sums }[] {
  const found: { name: AccountMonthName; sums: Sums }[] = [];
  if (assignment?.order !== undefined) {
    const figure = assignment.type === 'original' ? 'originals' : 'replacements';
    found.push({
      name: nameOfAccountMonth(monthOf(assignment.day), assignment.buyer),
      sums: new Map([[nameOfFigure(figure, assignment.order), 1]]),
    });
  }
  if (claim?.order !== undefined) {
    const sums = new Map([[nameOfFigure('claims', claim.order), 1]]);
    if (claim.status !== 'pending') sums.set(nameOfFigure(claim.status, claim.order), 1);
    found.push({ name: nameOfAccountMonth(monthOf(claim.day), claim.buyer), sums });
  }
  return found;
}

/** @param day `2026-11-22` */
const monthOf = (day: string) => day.slice(0, 7);
