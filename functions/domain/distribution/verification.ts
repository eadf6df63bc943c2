/** Runs the verification checks that are switched on for a lead. */

import type { VerificationSwitches } from '#functions/data/administration/settings';
import type { Person } from '#functions/data/leads/lead';
import type { Checks, VerificationKind } from '#functions/verification/verification';
import type { PendingReason } from '#shared/contract/constants';

export interface VerificationOutcome {
  /** Why the lead becomes pending; undefined when it may be distributed. */
  readonly reason: PendingReason | undefined;
  readonly notes: readonly string[];
}

const KINDS = ['email', 'phone', 'name'] as const satisfies readonly VerificationKind[];

/**
 * Verifies a lead. An invalid result makes it pending. An unknown result only adds a note, so that an outage of a
 * provider does not stop intake, unless `mustBeCertain`.
 */
export async function verify(
  checks: Checks,
  switches: VerificationSwitches,
  person: Person,
  mustBeCertain: boolean,
): Promise<VerificationOutcome> {
  const switched = KINDS.filter((kind) => switches[`${kind}_verification`]);
  const results = await Promise.all(
    switched.map(async (kind) => ({ kind, ...(await checks[kind](person)) })),
  );
  const notes = results.flatMap(({ note }) => (note === null ? [] : [note]));
  const failed = results.find(({ status }) => status === 'invalid');
  if (failed !== undefined) return { reason: `${failed.kind}_verification_failed`, notes };
  const uncertain = mustBeCertain && results.some(({ status }) => status === 'unknown');
  return { reason: uncertain ? 'verification_unavailable' : undefined, notes };
}
