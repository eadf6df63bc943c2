import { describe, expect, it } from 'vitest';
import { pendingReason, splitByEligibility } from '#functions/domain/distribution/eligibility';
import { aPoolEntry } from '#test/factories/buyers';

const AMOUNT = 1_000_000;
const free = aPoolEntry({ buyer: 1, min_investment: AMOUNT });
const paused = aPoolEntry({ buyer: 2, active: false });
const withoutOrder = aPoolEntry({ buyer: 3, order_id: null });
const full = aPoolEntry({ buyer: 4, has_capacity: false });
const withoutWeight = aPoolEntry({ buyer: 5, probability: 0 });
const demanding = aPoolEntry({ buyer: 6, min_investment: AMOUNT + 1 });
const AT = new Date('2026-11-23T10:00:00Z');

describe('a buyer', () => {
  it('is a candidate with its weight, or has the reason why not', () => {
    const all = [free, paused, withoutOrder, full, withoutWeight, demanding];
    expect(splitByEligibility(all, AMOUNT, AT)).toEqual({
      candidates: [{ buyer: 1, weight: 5000 }],
      notEligible: {
        inactive: [2],
        no_open_order: [3],
        limit_reached: [4],
        probability_zero: [5],
        below_min_investment: [6],
      },
    });
  });

  it('is full once its order turned out to be', () => {
    expect(splitByEligibility([free], AMOUNT, AT, new Map([[1, 'limit_reached']])).notEligible).toEqual({
      limit_reached: [1],
    });
  });

  it('that is full and demanding is full: a raised limit is what its lead waits for first', () => {
    const both = aPoolEntry({ buyer: 7, has_capacity: false, min_investment: AMOUNT + 1 });
    expect(splitByEligibility([both], AMOUNT, AT).notEligible).toEqual({ limit_reached: [7] });
  });
});

describe('the reason of a pending lead', () => {
  it.each([
    ['no buyer at all', [], 'no_active_order'],
    ['paused', [paused], 'no_active_order'],
    ['without an order', [withoutOrder], 'no_active_order'],
    ['without weight', [withoutWeight], 'no_active_order'],
    ['full', [full], 'limits_reached'],
    ['full and paused', [full, paused, withoutOrder], 'limits_reached'],
    ['demanding', [demanding], 'below_min_investment'],
    ['demanding and full', [demanding, full, withoutOrder], 'below_min_investment'],
  ] as const)('with buyers that are %s', (_, pool, reason) => {
    const { candidates, notEligible } = splitByEligibility(pool, AMOUNT, AT);
    expect(candidates).toEqual([]);
    expect(pendingReason(notEligible)).toBe(reason);
  });
});
