/** The interface of the checks of a lead. */
import type { Person } from '#functions/data/leads/lead';

export type Verdict = 'valid' | 'invalid' | 'unknown';

export interface Finding {
  readonly verdict: Verdict;
  /** For the lead's verification notes when the verdict is not `valid`. Contains no personal data. */
  readonly note: string | null;
}

/** Checks one part of a person's data; never throws, and takes at most three seconds. */
export type Check = (person: Person) => Promise<Finding>;
export type VerificationKind = 'email' | 'phone' | 'name';
export type Checks = Readonly<Record<VerificationKind, Check>>;
