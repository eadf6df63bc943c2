/** What a source's leads cost and earned, by the day they arrived: see `docs/adr/0066-cost-of-leads.md`. Reads no lead. */

import type { Cost } from '#functions/data/sources/source';
import type { Sums } from '#functions/data/statistics/sums';

/** Cents. */
export interface Margin {
  readonly revenue: number;
  /** Originals without a price, which the revenue excludes. */
  readonly unpriced: number;
  /** Leads that arrived on days without a known cost. */
  readonly uncosted: number;
  /** Null if there are such leads. */
  readonly cost: number | null;
  readonly margin: number | null;
}

export interface DayOfSource {
  readonly day: string;
  readonly sums: Sums;
}

/** @param costs those of the source, oldest first */
export function marginOf(days: readonly DayOfSource[], costs: readonly Cost[]): Margin {
  let [revenue, unpriced, uncosted, cost] = [0, 0, 0, 0];
  for (const { day, sums } of days) {
    const leads = sums.get('accepted') ?? 0;
    const each = costs.findLast(({ from }) => from <= day)?.cents ?? null;
    if (each === null) uncosted += leads;
    else cost += leads * each;
    unpriced += sums.get('unpriced') ?? 0;
    for (const [name, originals] of sums) {
      const [what, , cents] = name.split(':');
      if (what === 'price') revenue += Number(cents) * originals;
    }
  }
  const known = uncosted === 0;
  return { revenue, unpriced, uncosted, cost: known ? cost : null, margin: known ? revenue - cost : null };
}
