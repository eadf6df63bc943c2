import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changesOf,
  type EditedWeight,
  shareRest,
  sumOf,
  weightOf,
} from '#frontend/admin/buyers/weight-editor';

const row = (buyer_id: string, seen: number, changes: Partial<EditedWeight> = {}): EditedWeight => ({
  buyer_id,
  expected: seen * 100,
  typed: String(seen).replace('.', ','),
  isTyped: false,
  counts: true,
  ...changes,
});
const typed = (buyer_id: string, seen: number, text: string, counts = true) =>
  row(buyer_id, seen, { typed: text, isTyped: true, counts });
const texts = (rows: readonly EditedWeight[] | undefined) => rows?.map((edited) => edited.typed);

it('the sum includes active buyers, and inactive ones once they are changed', () => {
  expect(sumOf([row('a', 60), row('idle', 30, { counts: false })])).toBe(60_00);
  expect(sumOf([row('a', 60), typed('idle', 30, '35', false)])).toBe(95_00);
  expect(sumOf([row('a', 60), typed('b', 10, 'x')])).toBe(60_00);
});

describe('sharing the rest', () => {
  it('keeps the proportion of unedited weights', () => {
    expect(texts(shareRest([row('a', 60), row('b', 20), typed('new', 0, '20')]))).toEqual(['60', '20', '20']);
    expect(texts(shareRest([row('a', 60), row('b', 40), typed('new', 0, '25', false)]))).toEqual([
      '45',
      '30',
      '25',
    ]);
    expect(texts(shareRest([row('a', 10), row('b', 10), row('c', 10)]))).toEqual(['33,34', '33,33', '33,33']);
  });

  it('is equal among buyers without a weight, and excludes buyers that do not count', () => {
    expect(texts(shareRest([row('a', 0), row('b', 0), row('idle', 5, { counts: false })]))).toEqual([
      '50',
      '50',
      '5',
    ]);
  });

  it('is not possible without a rest or without buyers', () => {
    expect(shareRest([row('a', 60), typed('b', 1, '60'), typed('c', 1, '60')])).toBeUndefined();
    expect(shareRest([typed('a', 60, '50')])).toBeUndefined();
  });

  it('ends at exactly 100 % and keeps the order of weights', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 100_00 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 100_00 }), (seen, own) => {
        const others = seen.map((weight, at) => row(String(at), weight / 100));
        const shared = shareRest([...others, typed('new', 0, String(own / 100).replace('.', ','))]) ?? [];
        expect(sumOf(shared)).toBe(100_00);
        const after = shared.map((edited) => weightOf(edited) ?? -1);
        for (const [at, weight] of seen.entries())
          for (const [other, otherWeight] of seen.entries())
            if (weight > otherWeight) expect(after[at]).toBeGreaterThanOrEqual(after[other] ?? 0);
      }),
    );
  });
});

describe('the saved weights', () => {
  it('are the changed ones', () => {
    expect(changesOf([row('a', 60), typed('b', 10, '12,5')])).toEqual({
      changed: [expect.objectContaining({ buyer_id: 'b', weight: 12_50, expected: 10_00 })],
      takesAll: undefined,
    });
  });

  it('are empty without a change, with an invalid weight, or above 100 %', () => {
    expect(changesOf([row('a', 60), typed('b', 10, '10')])).toBeUndefined();
    expect(changesOf([typed('a', 60, '50'), typed('b', 10, 'x')])).toBeUndefined();
    expect(changesOf([row('a', 60), typed('b', 10, '40,001')])).toBeUndefined();
    expect(changesOf([row('a', 60), typed('b', 10, '40,01')])).toBeUndefined();
  });

  it('can be one buyer with 100 %, including the required confirmation', () => {
    expect(changesOf([row('a', 60), typed('b', 10, '100')])?.takesAll).toBe('b');
    expect(changesOf([typed('a', 60, '0'), typed('b', 10, '100')])?.takesAll).toBe('b');
    expect(changesOf([row('a', 0), typed('b', 10, '100')])?.takesAll).toBeUndefined();
  });
});
