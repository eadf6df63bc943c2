import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { type ClaimTerms, checkClaimable } from '#shared/rules/claims';
import type { LeadsView } from './view';

/** What the list can be narrowed to; `replacement` is the other list. */
export const CHIPS = ['claimable', 'ending', 'pending', 'replacement', 'new'] as const;
export type Chip = (typeof CHIPS)[number];

/** The chips that are on: one about claims at most, because a lead is in one of their states only. */
export interface ChosenChips {
  readonly claim: ClaimChip | null;
  readonly isNew: boolean;
}
export type ClaimChip = 'claimable' | 'ending' | 'pending';

export const NO_CHIPS: ChosenChips = { claim: null, isNew: false };

/** A claim window ends soon with so many working days after today, or fewer. */
const SOON_WORKING_DAYS = 2;

/**
 * A function that tells which chips a lead has.
 * @param now any instant of the day (Berlin) that is looked at
 */
export function chipsOf(
  terms: ClaimTerms,
  now: Date,
  isNew: (lead: ViewedLead) => boolean,
): (lead: ViewedLead) => ReadonlySet<Chip> {
  // Leads delivered within an hour have the same window, and a long list has few hours compared to its leads.
  const windows = new Map<string, readonly Chip[]>();
  const windowOf = (deliveredAt: string): readonly Chip[] => {
    const hour = deliveredAt.slice(0, 13);
    const known = windows.get(hour);
    if (known !== undefined) return known;
    const claimable = checkClaimable(
      { leadType: 'original', claimStatus: null, deliveredAt: new Date(deliveredAt) },
      terms,
      now,
    );
    const chips: readonly Chip[] = !claimable.ok
      ? []
      : claimable.window.remainingWorkingDays > SOON_WORKING_DAYS
        ? ['claimable']
        : ['claimable', 'ending'];
    windows.set(hour, chips);
    return chips;
  };
  return (lead) => {
    const isClaimable = lead.lead_type === 'original' && lead.claim_status === null && lead.erased !== true;
    return new Set<Chip>([
      ...(isClaimable ? windowOf(lead.delivered_at) : []),
      ...(lead.claim_status === 'pending' ? (['pending'] as const) : []),
      ...(lead.lead_type === 'reimbursement' ? (['replacement'] as const) : []),
      ...(isNew(lead) ? (['new'] as const) : []),
    ]);
  };
}

/** Whether a lead is shown while these chips are on. */
export function passes(chips: ReadonlySet<Chip>, { claim, isNew }: ChosenChips): boolean {
  return (claim === null || chips.has(claim)) && (!isNew || chips.has('new'));
}

/** A tap on a chip: once it is on, twice it is off. Another one about claims takes the place of the one before. */
export function tapped(chosen: ChosenChips, chip: ClaimChip | 'new'): ChosenChips {
  if (chip === 'new') return { ...chosen, isNew: !chosen.isNew };
  return { ...chosen, claim: chosen.claim === chip ? null : chip };
}

/** How many leads of the list have each chip; of replacements, how many the other list has. */
export function countsOf(
  leads: Iterable<ReadonlySet<Chip>>,
  { leads: { reimbursement } }: Pick<LeadsView, 'leads'>,
): ReadonlyMap<Chip, number> {
  const counts = new Map<Chip, number>();
  for (const chips of leads) for (const chip of chips) counts.set(chip, (counts.get(chip) ?? 0) + 1);
  return counts.set('replacement', reimbursement.length);
}
