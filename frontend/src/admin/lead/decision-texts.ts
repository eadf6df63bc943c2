import { formatNumber } from '#shared/rules/formats';
import type { LeadDetails } from '../data/leads';

export type Decision = NonNullable<LeadDetails['decision']>;

/** Why a buyer could not get this lead; the codes of the decision record. */
const NOT_ELIGIBLE: Readonly<Record<string, string>> = {
  no_open_order: 'has no open order',
  limit_reached: 'its order limit is reached',
  below_min_investment: 'wants a higher investment',
  above_max_investment: 'wants a lower investment',
  outside_term: 'wants another term',
  source_excluded: 'does not take its source',
  consent_required: 'requires consent to be called',
  probability_zero: 'its probability is 0%',
  inactive: 'is inactive',
  already_received: 'has a lead of the same person',
  already_known: 'knows the person already',
  refused_by_buyer: 'refused this lead',
  outside_schedule: 'is outside its hours',
  daily_cap_reached: 'has reached its daily cap',
  weekly_cap_reached: 'has reached its weekly cap',
};

export function notEligibleText(reason: string): string {
  return NOT_ELIGIBLE[reason] ?? reason.replaceAll('_', ' ');
}

/** `0,8 leads behind`, `1,2 leads ahead`, `exactly on its share` */
export function deficitText(deficit: number): string {
  if (Math.abs(deficit) < 0.005) return 'exactly on its share';
  const leads = `${formatNumber(Math.abs(deficit))} ${Math.abs(deficit) === 1 ? 'lead' : 'leads'}`;
  return deficit > 0 ? `${leads} behind` : `${leads} ahead`;
}

/** The choice in one or two sentences that anyone understands. */
export function decisionText(decision: Decision): string {
  const { winner, mode, eligible } = decision;
  if (winner === null)
    return eligible.length === 0
      ? 'No buyer was eligible, so the lead is pending.'
      : 'The lead was not assigned.';
  if (mode === 'manual') return `An admin assigned this lead to ${winner}, regardless of weights.`;
  const others = eligible.length - 1;
  if (others === 0) return `${winner} was the only eligible buyer.`;
  if (mode === 'drawn')
    return `${winner} was drawn at random, weighted by how far each buyer was behind, because many leads arrived at once.`;
  return `Counting its share of this lead, ${winner} was furthest behind among ${eligible.length} buyers.`;
}
