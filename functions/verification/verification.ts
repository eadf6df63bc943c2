/** The interface of the checks of a lead. */
import type { Person } from '#functions/data/leads/lead';
import type { CHECK_KINDS, CHECKERS } from '#shared/rules/constants';

export type CheckStatus = 'valid' | 'invalid' | 'unknown';

export interface CheckResult {
  readonly status: CheckStatus;
  /** For the lead's verification notes when the status is not `valid`. Contains no personal data. */
  readonly note: string | null;
  /** Its provider is certain that there is no such mailbox or number. */
  readonly dead?: boolean | undefined;
  /** Whose result it is; absent: the product's own. */
  readonly by?: (typeof CHECKERS)[number] | undefined;
}

/** Checks one part of a person's data; never throws, and takes at most three seconds. */
export type Check = (person: Person) => Promise<CheckResult>;
export type VerificationKind = (typeof CHECK_KINDS)[number];
export type Checks = Readonly<Record<VerificationKind, Check>>;
