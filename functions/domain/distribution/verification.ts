/** Runs the checks that are switched on and says what follows for the lead. */

import type { VerificationSwitches } from '#functions/data/administration/template';
import type { Person } from '#functions/data/leads/lead';
import type { Checks, VerificationKind } from '#functions/verification/verification';
import type { PendingReason } from '#shared/contract/constants';

export interface VerificationOutcome {
  /** Set when the lead must wait. */
  readonly reason: PendingReason | undefined;
  readonly notes: readonly string[];
}

const KINDS = ['email', 'phone', 'name'] as const satisfies readonly VerificationKind[];

/**
 * An invalid answer holds the lead. An unknown one lets it pass with a note, so that an outage never stops intake,
 * unless the operator demands certainty.
 */
export async function verify(
  checks: Checks,
  switches: VerificationSwitches,
  person: Person,
  mustBeCertain: boolean,
): Promise<VerificationOutcome> {
  const switched = KINDS.filter((kind) => switches[`${kind}_verification`]);
  const findings = await Promise.all(
    switched.map(async (kind) => ({ kind, ...(await checks[kind](person)) })),
  );
  const notes = findings.flatMap(({ note }) => (note === null ? [] : [note]));
  const failed = findings.find(({ verdict }) => verdict === 'invalid');
  if (failed !== undefined) return { reason: `${failed.kind}_verification_failed`, notes };
  const uncertain = mustBeCertain && findings.some(({ verdict }) => verdict === 'unknown');
  return { reason: uncertain ? 'verification_unavailable' : undefined, notes };
}
