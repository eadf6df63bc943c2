/** What the people of a world have learnt, and the rules compare with what works. */
import type { DistributionResult } from '#functions/domain/distribution/distribution';
import { Accounts } from '#test/simulation/accounts';

/** A lead that a client was notified of. */
export interface Answered {
  readonly lead: string;
  readonly status: DistributionResult['status'];
}

export class Known {
  readonly accounts = new Accounts();
  /** Links of orders that were replaced or switched off, and of the pages of sources. */
  readonly formerTokens: string[] = [];
  readonly formerSpecifications: string[] = [];
  /** Requests for codes of links of which the code has let somebody in. */
  readonly codesUsed = new Set<string>();
  /** Of letters about erased people. */
  readonly erasureTokens: string[] = [];
  /** How many leads admins took in for a source, which its limits do not hold. */
  readonly imported = new Map<number, number>();
  /** Whether a source's postbacks were switched on or off, so that it was notified of some leads and not of others. */
  hasMovedPostbacks = false;
  /** When passwords of an unknown admin were checked, in milliseconds. */
  readonly guesses: number[] = [];
}
