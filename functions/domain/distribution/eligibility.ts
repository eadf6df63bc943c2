import {
  type Criteria,
  isKnownTo,
  lacksConsent,
  misfit,
  type PoolEntry,
  pausedBy,
} from '#functions/data/buyers/buyer';
import type { Lead } from '#functions/data/leads/lead';
import type { Refusal } from '#functions/data/orders/reservation-store';
import type { Candidate } from '#functions/domain/distribution/share-rule';
import { MISFITS, type Misfit, type PauseReason, type PendingReason } from '#shared/rules/constants';

export type NotEligible =
  | 'inactive'
  | 'probability_zero'
  | 'no_open_order'
  | 'limit_reached'
  | Misfit
  | 'consent_required'
  | 'already_received'
  | 'already_known'
  | 'refused_by_buyer'
  | PauseReason;

export type Refused = ReadonlyMap<number, Refusal>;

export type Eligible = Pick<
  PoolEntry,
  | 'buyer'
  | 'active'
  | 'order_id'
  | 'has_capacity'
  | 'probability'
  | keyof Criteria
  | 'requires_consent'
  | 'schedule'
  | 'capped_until'
  | 'capped_by'
>;

export interface EligibilitySplit {
  readonly candidates: readonly Candidate[];
  readonly notEligible: Readonly<Partial<Record<NotEligible, number[]>>>;
}

/** What is known of buyers by their numbers. */
export interface Excluded {
  /** Orders that refused the reservation during this attempt. */
  readonly refused?: Refused | undefined;
  /** Buyers that have the person. */
  readonly received?: ReadonlySet<number>;
  /** Buyers whose partner refused this lead. */
  readonly refusers?: ReadonlySet<number>;
}

/** What buyers may ask of a lead. */
export type Asked = Pick<Lead, 'anlagebetrag' | 'laufzeit' | 'source' | 'consent' | 'known_to'>;

export function splitByEligibility(
  poolEntries: readonly Eligible[],
  lead: Asked,
  at: Date,
  excluded: Excluded = {},
): EligibilitySplit {
  const candidates: Candidate[] = [];
  const notEligible: Partial<Record<NotEligible, number[]>> = {};
  for (const poolEntry of poolEntries) {
    // Checked first, because no change of the buyer can remove this reason.
    const reason = excluded.refusers?.has(poolEntry.buyer)
      ? 'refused_by_buyer'
      : reasonAgainst(poolEntry, lead, at, excluded);
    if (reason === undefined) {
      candidates.push({ buyer: poolEntry.buyer, weight: poolEntry.probability });
    } else {
      notEligible[reason] ??= [];
      notEligible[reason].push(poolEntry.buyer);
    }
  }
  return { candidates, notEligible };
}

export function withoutFull(
  { candidates, notEligible }: EligibilitySplit,
  full: readonly (readonly [buyer: number, refusal: Refusal])[],
): EligibilitySplit {
  if (full.length === 0) return { candidates, notEligible };
  const reasons = { ...notEligible };
  for (const [buyer, refusal] of full) reasons[refusal] = [...(reasons[refusal] ?? []), buyer];
  const refused = new Set(full.map(([buyer]) => buyer));
  return { candidates: candidates.filter(({ buyer }) => !refused.has(buyer)), notEligible: reasons };
}

export function refusersOf({ refused_by = [] }: Pick<Lead, 'refused_by'>): ReadonlySet<number> {
  return new Set(refused_by.map(({ buyer }) => buyer));
}

function reasonAgainst(
  poolEntry: Eligible,
  lead: Asked,
  at: Date,
  { refused, received }: Excluded,
): NotEligible | undefined {
  const refusal = refused?.get(poolEntry.buyer);
  if (!poolEntry.active) return 'inactive';
  if (poolEntry.order_id === null) return 'no_open_order';
  // Checked before its terms, which do not change it.
  if (isKnownTo(poolEntry.buyer, lead.known_to)) return 'already_known';
  if (!poolEntry.has_capacity || refusal === 'limit_reached') return 'limit_reached';
  if (poolEntry.probability <= 0) return 'probability_zero';
  const unwanted = misfit(poolEntry, lead);
  if (unwanted !== undefined) return unwanted;
  if (lacksConsent(poolEntry, lead)) return 'consent_required';
  if (received?.has(poolEntry.buyer)) return 'already_received';
  // Checked last, because these reasons end without an admin.
  return pausedBy(poolEntry, at) ?? refusal;
}

export function pendingReason(notEligible: EligibilitySplit['notEligible']): PendingReason {
  const { outside_schedule, daily_cap_reached, weekly_cap_reached } = notEligible;
  if ((outside_schedule ?? daily_cap_reached ?? weekly_cap_reached) !== undefined) return 'waits_for_opening';
  const unwanted = MISFITS.find((reason) => notEligible[reason] !== undefined);
  if (unwanted !== undefined) return unwanted;
  if (notEligible.limit_reached !== undefined) return 'limits_reached';
  if (notEligible.already_received !== undefined) return 'already_received';
  if (notEligible.already_known !== undefined) return 'already_known';
  if (notEligible.consent_required !== undefined) return 'consent_missing';
  if (notEligible.refused_by_buyer !== undefined) return 'refused_by_buyers';
  return 'no_active_order';
}
