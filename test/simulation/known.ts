/** The knowledge of people in a world, which the rules compare with the product's behaviour. */
import type { DistributionResult } from '#functions/domain/distribution/attempt';
import { Accounts } from '#test/simulation/accounts';

/** A lead with an answer to its client. */
export interface Answered {
  readonly lead: string;
  readonly status: DistributionResult['status'];
}

export class Known {
  readonly accounts = new Accounts();
  /** Former links of orders and of sources' pages. */
  readonly formerTokens: string[] = [];
  readonly formerSpecifications: string[] = [];
  /** Requests for link codes whose code was used. */
  readonly codesUsed = new Set<string>();
  /** Tokens in e-mails about erased people. */
  readonly erasureTokens: string[] = [];
  /** How many leads admins imported for a source, to which its limits do not apply. */
  readonly imported = new Map<number, number>();
  /** Whether a source's postbacks were switched on or off, so that it was notified of only some leads. */
  hasMovedPostbacks = false;
  /** When passwords of an unknown admin were checked, in milliseconds. */
  readonly guesses: number[] = [];
}
