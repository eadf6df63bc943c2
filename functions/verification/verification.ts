import type { Person } from '#functions/data/leads/lead';
import type { CHECK_KINDS, CHECKERS } from '#shared/rules/constants';

export type CheckStatus = 'valid' | 'invalid' | 'unknown';

export interface CheckResult {
  readonly status: CheckStatus;
  /** For the lead's verification notes; contains no personal data. */
  readonly note: string | null;
  /** The provider is certain that there is no such mailbox or number. */
  readonly dead?: boolean | undefined;
  /** Absent: the product. */
  readonly by?: (typeof CHECKERS)[number] | undefined;
}

/** Never throws, and takes at most three seconds. */
export type Check = (person: Person) => Promise<CheckResult>;
export type VerificationKind = (typeof CHECK_KINDS)[number];
export type Checks = Readonly<Record<VerificationKind, Check>>;
