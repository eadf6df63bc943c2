/**
 * The share rule: normalised deficit.
 *
 * For every lead, each eligible buyer is credited with its share (its weight over the sum of the eligible weights). The buyer
 * with the largest deficit gets the lead and is debited one lead. Over a fixed set this is the chairman assignment problem
 * (R. Tijdeman, 1980): no buyer is ever more than one lead from its quota. Over changing sets the credits stay exact, because
 * a buyer is credited only for leads that it was eligible for.
 *
 * All numbers are integers: one lead is `LEAD` shares. Pure; a choice can be repeated from its decision record.
 */

export const RULE = 'normalised-deficit-1';

/** Divisible by all numbers up to 16 and by 100,000, so usual weights leave no remainder; else the error is below one per lead. */
export const LEAD = 7_207_200_000;

export interface Candidate {
  readonly buyer: number;
  /** Hundredths of a percent, above 0. */
  readonly weight: number;
}

/** Shares by which each buyer is behind (positive) or ahead (negative); 0 where a buyer is missing. */
export type Deficits = ReadonlyMap<number, number>;

export function figuresByBuyer(stored: Readonly<Record<string, number>>): Map<number, number> {
  return new Map(Object.entries(stored).map(([buyer, figure]) => [Number(buyer), figure]));
}

export interface Choice {
  readonly winner: number;
  readonly changes: Deficits;
}

/** In shares; the sum is exactly `LEAD`. Shares left by rounding go to the largest remainders (ties: the smaller number). */
export function credits(candidates: readonly Candidate[]): Map<number, number> {
  const sum = candidates.reduce((total, { weight }) => total + weight, 0);
  const parts = candidates.map(({ buyer, weight }) => {
    // LEAD * weight stays below 2^53 for weights up to 1,000,000.
    const exact = LEAD * weight;
    return { buyer, whole: Math.floor(exact / sum), rest: exact % sum };
  });
  let left = LEAD - parts.reduce((total, { whole }) => total + whole, 0);
  parts.sort((a, b) => b.rest - a.rest || a.buyer - b.buyer);
  return new Map(parts.map(({ buyer, whole }) => [buyer, whole + (left-- > 0 ? 1 : 0)]));
}

/** Ties by a hash of lead and buyer, so that equal buyers do not always win in the same order. @throws RangeError without candidates */
export function chooseLargestDeficit(
  leadId: string,
  candidates: readonly Candidate[],
  deficits: Deficits,
): Choice {
  const credit = credits(candidates);
  let winner: { buyer: number; deficit: number; hash: number } | undefined;
  for (const { buyer } of candidates) {
    const deficit = (deficits.get(buyer) ?? 0) + (credit.get(buyer) ?? 0);
    const hash = tieBreak(leadId, buyer);
    if (
      winner === undefined ||
      deficit > winner.deficit ||
      (deficit === winner.deficit && hash > winner.hash)
    )
      winner = { buyer, deficit, hash };
  }
  return settled(winner?.buyer, credit);
}

/**
 * A draw in proportion to the positive deficits after crediting, made after repeated conflicts over the ledger: all processes see
 * the same ledger, so the largest deficit would send a whole burst to one buyer.
 * @param draw in [0, 1)
 */
export function chooseByNeed(candidates: readonly Candidate[], deficits: Deficits, draw: number): Choice {
  const credit = credits(candidates);
  const behind = candidates.map(({ buyer }) => ({
    buyer,
    need: Math.max(0, (deficits.get(buyer) ?? 0) + (credit.get(buyer) ?? 0)),
  }));
  // All candidates may be ahead while buyers that are not eligible are behind; then the shares decide.
  const needs = behind.some(({ need }) => need > 0)
    ? behind
    : candidates.map(({ buyer }) => ({ buyer, need: credit.get(buyer) ?? 0 }));
  let left = draw * needs.reduce((sum, { need }) => sum + need, 0);
  const winner = needs.find(({ need }) => {
    left -= need;
    return left < 0;
  });
  return settled((winner ?? needs.findLast(({ need }) => need > 0))?.buyer, credit);
}

function settled(winner: number | undefined, credit: Map<number, number>): Choice {
  if (winner === undefined) throw new RangeError('No candidates');
  const changes = new Map(credit);
  changes.set(winner, (changes.get(winner) ?? 0) - LEAD);
  return { winner, changes };
}

/** FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/): distributes ties evenly. */
function tieBreak(leadId: string, buyer: number): number {
  let hash = 0x811c9dc5;
  for (const char of `${leadId}:${buyer}`) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
}
