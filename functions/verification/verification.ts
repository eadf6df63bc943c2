/** What every check of a lead is. */
import type { Person } from '#functions/data/leads/lead';

export type Verdict = 'valid' | 'invalid' | 'unknown';

export interface Finding {
  readonly verdict: Verdict;
  /** For the lead's notes when the verdict is not `valid`. Reservations no personal data. */
  readonly note: string | null;
}

/** The checks that are switched on, all run side by side; never throws, never takes longer than three seconds. */
export type Check = (person: Person) => Promise<Finding>;
export type VerificationKind = 'email' | 'phone' | 'name';
export type Checks = Readonly<Record<VerificationKind, Check>>;
