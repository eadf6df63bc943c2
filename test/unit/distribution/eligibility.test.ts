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
/** On Tuesdays only. */
const CLOSED = { weekdays: [2], from: '08:00', to: '18:00', holidays_off: true };
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

  it('that has the person or refused the lead is none, whatever else holds it back', () => {
    const closed = aPoolEntry({ buyer: 7, schedule: CLOSED });
    const split = splitByEligibility(
      [free, paused, withoutOrder, closed],
      AMOUNT,
      AT,
      new Map(),
      new Set([1, 7]),
      new Set([2]),
    );
    expect(split).toEqual({
      candidates: [],
      notEligible: { already_received: [1, 7], refused_by_buyer: [2], no_open_order: [3] },
    });
  });

  it('whose hours or cap hold a lead back is open again by itself', () => {
    const capped = aPoolEntry({ capped_by: 'weekly_cap_reached', capped_until: '2026-11-23T10:00:00.001Z' });
    const reasonOf = (entry: typeof capped, refusal?: 'daily_cap_reached', at = AT) =>
      Object.keys(splitByEligibility([entry], AMOUNT, at, new Map(refusal && [[7, refusal]])).notEligible);
    expect(reasonOf(aPoolEntry({ schedule: CLOSED }))).toEqual(['outside_schedule']);
    expect(reasonOf(capped, 'daily_cap_reached')).toEqual(['weekly_cap_reached']);
    expect(reasonOf(aPoolEntry(), 'daily_cap_reached')).toEqual(['daily_cap_reached']);
    expect(reasonOf(capped, undefined, new Date('2026-11-23T10:00:00.001Z'))).toEqual([]);
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

  it('is what passes or can be changed soonest', () => {
    const reasons = [
      'weekly_cap_reached',
      'below_min_investment',
      'limit_reached',
      'already_received',
    ] as const;
    const all = [...reasons, 'refused_by_buyer', 'inactive'] as const;
    const reasonOf = (from: number) =>
      pendingReason(Object.fromEntries(all.slice(from).map((reason) => [reason, [1]])));
    expect(all.map((_, from) => reasonOf(from))).toEqual([
      'waits_for_opening',
      'below_min_investment',
      'limits_reached',
      'already_received',
      'refused_by_buyers',
      'no_active_order',
    ]);
    for (const paused of ['outside_schedule', 'daily_cap_reached'])
      expect(pendingReason({ [paused]: [1], limit_reached: [2] })).toBe('waits_for_opening');
  });
});
