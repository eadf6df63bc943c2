import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { type ClaimTerms, checkClaimable } from '#shared/rules/claim-windows';

export const CHIPS = ['claimable', 'ending', 'pending', 'new'] as const;
export type Chip = (typeof CHIPS)[number];

/** At most one about claims, because a lead is in one of their states. */
export interface ChosenChips {
  readonly claim: ClaimChip | null;
  readonly isNew: boolean;
}
type ClaimChip = Exclude<Chip, 'new'>;

export const NO_CHIPS: ChosenChips = { claim: null, isNew: false };

const SOON_WORKING_DAYS = 2;

/** @param now any instant of the Berlin day */
export function chipsOf(
  terms: ClaimTerms,
  now: Date,
  isNew: (lead: ViewedLead) => boolean,
): (lead: ViewedLead) => ReadonlySet<Chip> {
  // Leads of one hour have the same window, and a long list has few hours.
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
      ...(isNew(lead) ? (['new'] as const) : []),
    ]);
  };
}

export function passes(chips: ReadonlySet<Chip>, { claim, isNew }: ChosenChips): boolean {
  return (claim === null || chips.has(claim)) && (!isNew || chips.has('new'));
}

/** Chips about claims replace each other. */
export function tapped(chosen: ChosenChips, chip: Chip): ChosenChips {
  if (chip === 'new') return { ...chosen, isNew: !chosen.isNew };
  return { ...chosen, claim: chosen.claim === chip ? null : chip };
}

export const isChosen = (chosen: ChosenChips, chip: Chip): boolean =>
  chip === 'new' ? chosen.isNew : chosen.claim === chip;

export function countsOf(leads: Iterable<ReadonlySet<Chip>>): ReadonlyMap<Chip, number> {
  const counts = new Map<Chip, number>();
  for (const chips of leads) for (const chip of chips) counts.set(chip, (counts.get(chip) ?? 0) + 1);
  return counts;
}
