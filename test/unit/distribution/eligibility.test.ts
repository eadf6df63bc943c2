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

  it('that is full and demanding is full: a raised limit is what its lead waits for first', () => {
    const both = aPoolEntry({ buyer: 7, has_capacity: false, min_investment: AMOUNT + 1 });
    expect(splitByEligibility([both], AMOUNT, AT).notEligible).toEqual({ limit_reached: [7] });
  });

  it('that has the person or refused the lead is none, whatever else holds it back', () => {
    const all = [free, paused, aPoolEntry({ buyer: 7, schedule: CLOSED })];
    const { notEligible } = splitByEligibility(all, AMOUNT, AT, new Map(), new Set([1, 7]), new Set([2]));
    expect(notEligible).toEqual({ already_received: [1, 7], refused_by_buyer: [2] });
  });

  it('whose hours or cap hold a lead back is open again by itself', () => {
    const capped = aPoolEntry({ capped_by: 'weekly_cap_reached', capped_until: '2026-11-23T10:00:00.001Z' });
    const reasonOf = (entry: typeof capped, at = AT) =>
      Object.keys(splitByEligibility([entry], AMOUNT, at, new Map([[7, 'daily_cap_reached']])).notEligible);
    expect(reasonOf(aPoolEntry({ schedule: CLOSED }))).toEqual(['outside_schedule']);
    expect(reasonOf(capped)).toEqual(['weekly_cap_reached']);
    expect(reasonOf(capped, new Date('2026-11-23T10:00:00.001Z'))).toEqual(['daily_cap_reached']);
  });
});

it('the reason of a pending lead is what passes or can be changed soonest', () => {
  const inOrder = [
    ['daily_cap_reached', 'waits_for_opening'],
    ['below_min_investment', 'below_min_investment'],
    ['limit_reached', 'limits_reached'],
    ['already_received', 'already_received'],
    ['refused_by_buyer', 'refused_by_buyers'],
    ['no_open_order', 'no_active_order'],
  ] as const;
  for (const [from, [, expected]] of inOrder.entries()) {
    const reasons = inOrder.slice(from).map(([reason]) => [reason, [1]] as const);
    expect(pendingReason(Object.fromEntries(reasons))).toBe(expected);
  }
  expect(pendingReason({})).toBe('no_active_order');
});
