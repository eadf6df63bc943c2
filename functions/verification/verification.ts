/** The interface of the checks of a lead. */
import type { Person } from '#functions/data/leads/lead';

export type CheckStatus = 'valid' | 'invalid' | 'unknown';

export interface CheckResult {
  readonly status: CheckStatus;
  /** For the lead's verification notes when the status is not `valid`. Contains no personal data. */
  readonly note: string | null;
}

/** Checks one part of a person's data; never throws, and takes at most three seconds. */
export type Check = (person: Person) => Promise<CheckResult>;
export type VerificationKind = 'email' | 'phone' | 'name';
export type Checks = Readonly<Record<VerificationKind, Check>>;
