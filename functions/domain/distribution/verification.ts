import type { VerificationSwitches } from '#functions/data/administration/settings';
import { packChecks } from '#functions/data/leads/intake-checks';
import type { Lead, Person } from '#functions/data/leads/lead';
import type { Checks, VerificationKind } from '#functions/verification/verification';
import type { PendingReason } from '#shared/rules/constants';

export interface VerificationOutcome {
  readonly reason: PendingReason | undefined;
  readonly notes: readonly string[];
  /** Checks, providers and results, packed; absent if nothing was checked. */
  readonly checks?: string | undefined;
}

export type Verified = Pick<VerificationOutcome, 'notes' | 'checks'>;

export const verifiedBefore = ({ verification_notes: notes = [], checks }: Lead): Verified => ({
  notes,
  checks,
});

const KINDS = ['email', 'phone', 'name'] as const satisfies readonly VerificationKind[];

/** An unknown result only adds a note, so that a provider's outage does not stop intake, unless `mustBeCertain`. */
export async function verify(
  checks: Checks,
  switches: VerificationSwitches,
  lead: Person & Pick<Lead, 'received_at'>,
  mustBeCertain: boolean,
  at: Date,
): Promise<VerificationOutcome> {
  const switched = KINDS.filter((kind) => switches[`${kind}_verification`]);
  const results = await Promise.all(switched.map(async (kind) => ({ kind, ...(await checks[kind](lead)) })));
  const notes = results.flatMap(({ note }) => (note === null ? [] : [note]));
  const packed = packChecks(
    results.map(({ kind, by = 'offline', status, dead }) => ({
      kind,
      by,
      result: dead === true ? 'dead' : status,
    })),
    lead.received_at,
    at,
  );
  const failed = results.find(({ status }) => status === 'invalid');
  if (failed !== undefined) return { reason: `${failed.kind}_verification_failed`, notes, checks: packed };
  const uncertain = mustBeCertain && results.some(({ status }) => status === 'unknown');
  return { reason: uncertain ? 'verification_unavailable' : undefined, notes, checks: packed };
}
