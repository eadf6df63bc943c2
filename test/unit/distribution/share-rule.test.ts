import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Candidate,
  chooseByNeed,
  chooseLargestDeficit,
  credits,
  LEAD,
} from '#functions/domain/distribution/share-rule';

const weights = (min: number, max: number) =>
  fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: min, maxLength: max });
const asPool = (list: readonly number[]): Candidate[] =>
  list.map((weight, at) => ({ buyer: at + 1, weight }));

describe('credits', () => {
  it('assign the rounding rest to the largest remainders, ties to the smaller buyer number', () => {
    // One lead in seventeenths leaves remainders of 9, 9 and 16, and of 12, 12 and 10; the sums are two short.
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

  it('stay within safe integers', () => {
    expect(Number.isSafeInteger(LEAD * 1_000_000)).toBe(true);
  });
});

describe('the largest deficit', () => {
  it('keeps every buyer of a fixed pool within 1.1 leads at all times', () => {
    fc.assert(
      fc.property(weights(1, 20), (list) => {
        const deficits = new Map<number, number>();
        for (let lead = 0; lead < 400; lead += 1) {
          const { changes } = chooseLargestDeficit(`lead-${lead}`, asPool(list), deficits);
          for (const [buyer, by] of changes) deficits.set(buyer, (deficits.get(buyer) ?? 0) + by);
          for (const deficit of deficits.values()) expect(Math.abs(deficit)).toBeLessThanOrEqual(1.1 * LEAD);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('works for a single buyer and rejects an empty pool', () => {
    expect(chooseLargestDeficit('lead', asPool([1]), new Map()).winner).toBe(1);
    expect(() => chooseLargestDeficit('lead', [], new Map())).toThrow(RangeError);
  });
});

describe('the draw by need', () => {
  it.each([
    ['the needs if a buyer is behind', [1, 1], [2.5, 0.5]],
    ['the shares if no buyer is behind', [3, 1], [-5, -5]],
  ])('is in proportion to %s', (_, list, owed) => {
    const deficits = new Map(owed.map((leads, at) => [at + 1, leads * LEAD]));
    const drawn = (draw: number) => chooseByNeed(asPool(list), deficits, draw).winner;
    expect([0, 0.7499, 0.7501, 0.9999].map(drawn)).toEqual([1, 1, 2, 2]);
  });

  it('always draws a candidate, with changes that sum to zero, and never one ahead while another is behind', () => {
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
