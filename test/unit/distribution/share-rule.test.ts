import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Candidate,
  chooseByNeed,
  chooseLargestDeficit,
  credits,
  LEAD,
} from '#functions/domain/distribution/share-rule';

/** A ledger in memory and, alongside it, what every buyer should have had by exact fractions. */
class Simulation {
  readonly deficits = new Map<number, number>();
  readonly wanted = new Map<number, number>();
  readonly got = new Map<number, number>();
  #leads = 0;

  next(candidates: readonly Candidate[]): number {
    this.#leads += 1;
    const { winner, changes } = chooseLargestDeficit(`lead-${this.#leads}`, candidates, this.deficits);
    const sum = candidates.reduce((total, { weight }) => total + weight, 0);
    for (const { buyer, weight } of candidates)
      this.wanted.set(buyer, (this.wanted.get(buyer) ?? 0) + weight / sum);
    for (const [buyer, change] of changes) this.deficits.set(buyer, (this.deficits.get(buyer) ?? 0) + change);
    this.got.set(winner, (this.got.get(winner) ?? 0) + 1);
    return winner;
  }

  /** Leads by which the worst-off buyer is from its share. */
  distance(): number {
    return Math.max(
      ...Array.from(this.wanted, ([buyer, wanted]) => Math.abs(wanted - (this.got.get(buyer) ?? 0))),
    );
  }
}

const weights = (min: number, max: number) =>
  fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: min, maxLength: max });
const asPool = (list: readonly number[]): Candidate[] =>
  list.map((weight, at) => ({ buyer: at + 1, weight }));

describe('credits', () => {
  it('give what rounding leaves over to the largest remainders, of equal ones to the smaller number', () => {
    // One lead in seventeenths leaves remainders of 9, 9 and 16, and of 12, 12 and 10; the sums lack two.
    const credited = (list: readonly number[]) => credits(asPool(list).toReversed());
    expect(credited([3, 3, 11])).toEqual(
      new Map([
        [1, 1_271_858_824],
        [2, 1_271_858_823],
        [3, 4_663_482_353],
      ]),
    );
    expect(credited([4, 4, 9])).toEqual(
      new Map([
        [1, 1_695_811_765],
        [2, 1_695_811_765],
        [3, 3_815_576_470],
      ]),
    );
  });

  it('sum to exactly one lead, each within one share of its fraction', () => {
    fc.assert(
      fc.property(weights(1, 100), (list) => {
        const pool = asPool(list);
        const credit = credits(pool);
        const sum = list.reduce((total, weight) => total + weight, 0);
        expect([...credit.values()].reduce((total, value) => total + value, 0)).toBe(LEAD);
        for (const { buyer, weight } of pool)
          expect(Math.abs((credit.get(buyer) ?? 0) - (LEAD * weight) / sum)).toBeLessThan(1);
      }),
    );
  });

  it('stay within whole numbers that are exact', () => {
    expect(Number.isSafeInteger(LEAD * 1_000_000)).toBe(true);
  });
});

describe('the largest deficit', () => {
  it('keeps everybody of a fixed pool within 1.1 leads at every moment', () => {
    fc.assert(
      fc.property(weights(1, 20), (list) => {
        const simulation = new Simulation();
        const pool = asPool(list);
        for (let lead = 0; lead < 400; lead += 1) {
          simulation.next(pool);
          expect(simulation.distance()).toBeLessThanOrEqual(1.1);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('owes nothing to a buyer that was not eligible meanwhile', () => {
    const simulation = new Simulation();
    const [one, two, three] = asPool([3000, 3000, 4000]) as [Candidate, Candidate, Candidate];
    for (let lead = 0; lead < 60; lead += 1) simulation.next([one, two, three]);
    for (let lead = 0; lead < 500; lead += 1) simulation.next([one, two]);
    const before = simulation.got.get(3) ?? 0;
    for (let lead = 0; lead < 10; lead += 1) simulation.next([one, two, three]);
    expect((simulation.got.get(3) ?? 0) - before).toBeLessThanOrEqual(6);
  });

  it('does not give equal buyers their turns in the same order every time', () => {
    const winners = new Set<number>();
    for (let lead = 0; lead < 40; lead += 1)
      winners.add(chooseLargestDeficit(`lead-${lead}`, asPool([1000, 1000, 1000]), new Map()).winner);
    expect(winners).toEqual(new Set([1, 2, 3]));
  });

  it('has an answer for a single buyer and refuses an empty pool', () => {
    expect(chooseLargestDeficit('lead', asPool([1]), new Map()).winner).toBe(1);
    expect(() => chooseLargestDeficit('lead', [], new Map())).toThrow(RangeError);
  });
});

describe('the draw by need', () => {
  it.each([
    ['the needs, where somebody is behind', [1, 1], [2.5, 0.5]],
    ['the shares, where nobody is', [3, 1], [-5, -5]],
  ])('is in proportion to %s', (_, list, owed) => {
    const deficits = new Map(owed.map((leads, at) => [at + 1, leads * LEAD]));
    const drawn = (draw: number) => chooseByNeed(asPool(list), deficits, draw).winner;
    expect([0, 0.7499, 0.7501, 0.9999].map(drawn)).toEqual([1, 1, 2, 2]);
  });

  it('always picks a candidate, changes sum to zero, and nobody ahead is drawn while somebody is behind', () => {
    fc.assert(
      fc.property(
        weights(1, 20),
        fc.array(fc.integer({ min: -5 * LEAD, max: 5 * LEAD }), { minLength: 20, maxLength: 20 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (list, owed, draw) => {
          const pool = asPool(list);
          const deficits = new Map(owed.map((deficit, at) => [at + 1, deficit]));
          const { winner, changes } = chooseByNeed(pool, deficits, draw);
          expect(pool.some(({ buyer }) => buyer === winner)).toBe(true);
          expect([...changes.values()].reduce((total, value) => total + value, 0)).toBe(0);
          const credit = credits(pool);
          const need = (buyer: number) => (deficits.get(buyer) ?? 0) + (credit.get(buyer) ?? 0);
          if (pool.some(({ buyer }) => need(buyer) > 0)) expect(need(winner)).toBeGreaterThan(0);
        },
      ),
    );
  });
});
