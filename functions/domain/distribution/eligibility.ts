/** Which buyers are eligible for a lead, and why the others are not. Pure functions. */

import type { PoolEntry } from '#functions/data/buyers/buyer';
import type { Candidate } from '#functions/domain/distribution/share-rule';
import { type PendingReason, REDISTRIBUTED_REASONS } from '#shared/contract/constants';

export type NotEligible =
  | 'inactive'
  | 'probability_zero'
  | 'no_open_order'
  | 'limit_reached'
  | 'below_min_investment'
  | 'already_received';

const NOBODY: ReadonlySet<number> = new Set();

/** What of a pool entry the eligibility depends on. */
export type Eligible = Pick<
  PoolEntry,
  'buyer' | 'active' | 'order_id' | 'has_capacity' | 'probability' | 'min_investment'
>;

export interface EligibilitySplit {
  readonly candidates: readonly Candidate[];
  readonly notEligible: Readonly<Partial<Record<NotEligible, number[]>>>;
}

/**
 * Splits the pool into candidates for one lead and buyers that are not eligible, by reason.
 * @param amount the lead's investment in cents
 * @param full buyers whose order turned out to be full during this distribution attempt
 * @param received buyers that have a lead of the same person
 */
export function splitByEligibility(
  poolEntries: readonly Eligible[],
  amount: number,
  full: ReadonlySet<number>,
  received: ReadonlySet<number> = NOBODY,
): EligibilitySplit {
  const candidates: Candidate[] = [];
  const notEligible: Partial<Record<NotEligible, number[]>> = {};
  for (const poolEntry of poolEntries) {
    const reason = reasonAgainst(poolEntry, amount, full, received);
    if (reason === undefined) {
      candidates.push({ buyer: poolEntry.buyer, weight: poolEntry.probability });
    } else {
      notEligible[reason] ??= [];
      notEligible[reason].push(poolEntry.buyer);
    }
  }
  return { candidates, notEligible };
}

/** Whether a buyer is eligible for any lead at all, whatever its amount. */
export function takesLeads({ active, has_capacity, probability }: PoolEntry): boolean {
  return active && has_capacity && probability > 0;
}

function reasonAgainst(
  poolEntry: Eligible,
  amount: number,
  full: ReadonlySet<number>,
  received: ReadonlySet<number>,
): NotEligible | undefined {
  if (!poolEntry.active) return 'inactive';
  if (poolEntry.order_id === null) return 'no_open_order';
  if (!poolEntry.has_capacity || full.has(poolEntry.buyer)) return 'limit_reached';
  if (poolEntry.probability <= 0) return 'probability_zero';
  if (poolEntry.min_investment > amount) return 'below_min_investment';
  return received.has(poolEntry.buyer) ? 'already_received' : undefined;
}

/** The pending reason of a lead without candidates: the one that takes the smallest change to remove. */
export function pendingReason(notEligible: EligibilitySplit['notEligible']): PendingReason {
  if (notEligible.below_min_investment !== undefined) return 'below_min_investment';
  if (notEligible.limit_reached !== undefined) return 'limits_reached';
  if (notEligible.already_received !== undefined) return 'already_received';
  return 'no_active_order';
}

/** True for leads of the backlog, which passed their verification and wait for an order alone. */
export function isBacklogReason(reason: PendingReason): boolean {
  return REDISTRIBUTED_REASONS.some((one) => one === reason);
}
