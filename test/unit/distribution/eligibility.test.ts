import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pendingReason, splitByEligibility } from '#functions/domain/distribution/eligibility';
import { CONSENT_CHANNELS } from '#shared/rules/consent';
import { aPoolEntry } from '#test/factories/buyers';

const AMOUNT = 1_000_000;
const LEAD = { anlagebetrag: AMOUNT, laufzeit: 24, source: 2 };
const free = aPoolEntry({ buyer: 1, min_investment: AMOUNT });
const paused = aPoolEntry({ buyer: 2, active: false });
const withoutOrder = aPoolEntry({ buyer: 3, order_id: null });
const full = aPoolEntry({ buyer: 4, has_capacity: false });
const withoutWeight = aPoolEntry({ buyer: 5, probability: 0 });
const demanding = aPoolEntry({ buyer: 6, min_investment: AMOUNT + 1 });
const modest = aPoolEntry({ buyer: 9, max_investment: AMOUNT - 1 });
const patient = aPoolEntry({ buyer: 10, min_term: 25 });
const hasty = aPoolEntry({ buyer: 11, max_term: 23 });
const loyal = aPoolEntry({ buyer: 12, sources_allowed: [1, 3] });
const wary = aPoolEntry({ buyer: 13, sources_excluded: [2] });
const careful = aPoolEntry({ buyer: 8, requires_consent: true });
/** On Tuesdays only. */
const CLOSED = { weekdays: [2], from: '08:00', to: '18:00', holidays_off: true };
const AT = new Date('2026-11-23T10:00:00Z');

describe('a buyer', () => {
  it('is a candidate with its weight, or has a reason for its exclusion', () => {
    const unwilling = [demanding, careful, modest, patient, hasty, loyal, wary];
    const all = [free, paused, withoutOrder, full, withoutWeight, ...unwilling];
    expect(splitByEligibility(all, LEAD, AT)).toEqual({
      candidates: [{ buyer: 1, weight: 5000 }],
      notEligible: {
        inactive: [2],
        no_open_order: [3],
        limit_reached: [4],
        probability_zero: [5],
        below_min_investment: [6],
        above_max_investment: [9],
        outside_term: [10, 11],
        source_excluded: [12, 13],
        consent_required: [8],
      },
    });
  });

  it('takes amounts and terms from its minimum to its maximum, both included', () => {
    const exact = aPoolEntry({ min_investment: AMOUNT, max_investment: AMOUNT, min_term: 24, max_term: 24 });
    const takes = (lead: typeof LEAD) => splitByEligibility([exact], lead, AT).candidates.length === 1;
    expect(takes(LEAD)).toBe(true);
    for (const by of [-1, 1]) {
      expect(takes({ ...LEAD, anlagebetrag: AMOUNT + by })).toBe(false);
      expect(takes({ ...LEAD, laufzeit: 24 + by })).toBe(false);
    }
  });

  it.each([
    [1, true, true],
    [2, false, false],
    [3, true, true],
    [4, false, true],
    [undefined, false, true],
  ])('takes leads of source %s if its list allows it', (source, ofAllowed, ofNotExcluded) => {
    const takes = (entry: typeof loyal) =>
      splitByEligibility([entry], { ...LEAD, source }, AT).candidates.length === 1;
    expect(takes(free)).toBe(true);
    expect(takes(loyal)).toBe(ofAllowed);
    expect(takes(wary)).toBe(ofNotExcluded);
  });

  it('that is full and has a minimum counts as full, because a raised limit helps first', () => {
    const both = aPoolEntry({ buyer: 7, has_capacity: false, min_investment: AMOUNT + 1 });
    expect(splitByEligibility([both], LEAD, AT).notEligible).toEqual({ limit_reached: [7] });
  });

  it('that already has the person or refused the lead has that reason before all others', () => {
    const all = [free, paused, aPoolEntry({ buyer: 7, schedule: CLOSED })];
    const { notEligible } = splitByEligibility(all, LEAD, AT, {
      received: new Set([1, 7]),
      refusers: new Set([2]),
    });
    expect(notEligible).toEqual({ already_received: [1, 7], refused_by_buyer: [2] });
  });

  it('that knows the person is not eligible, and no buyer is if nobody may get it', () => {
    const all = [aPoolEntry({ buyer: 1 }), aPoolEntry({ buyer: 2 })];
    const some = splitByEligibility(all, { ...LEAD, known_to: [2, 9] }, AT);
    expect(some.candidates.map(({ buyer }) => buyer)).toEqual([1]);
    expect(some.notEligible).toEqual({ already_known: [2] });
    const none = splitByEligibility(all, { ...LEAD, known_to: [0] }, AT);
    expect(none).toEqual({ candidates: [], notEligible: { already_known: [1, 2] } });
    expect(pendingReason(none.notEligible)).toBe('already_known');
  });

  it('that knows the person would not get it with other terms either, but needs an open order to miss it', () => {
    const all = [withoutOrder, full, demanding, careful];
    expect(splitByEligibility(all, { ...LEAD, known_to: [0] }, AT).notEligible).toEqual({
      no_open_order: [3],
      already_known: [4, 6, 8],
    });
  });

  it('that requires consent is a candidate for leads whose person agreed to calls, and for no others', () => {
    const channels = fc.option(fc.subarray([...CONSENT_CHANNELS]), { nil: undefined });
    fc.assert(
      fc.property(channels, fc.boolean(), (consent, requires_consent) => {
        const entry = aPoolEntry({ buyer: 8, requires_consent });
        const { candidates } = splitByEligibility([entry], { ...LEAD, consent }, AT);
        expect(candidates.length > 0).toBe(
          !requires_consent || (consent ?? []).some((one) => one === 'phone'),
        );
      }),
    );
  });

  it('outside its hours or at its cap becomes available without a change', () => {
    const capped = aPoolEntry({ capped_by: 'weekly_cap_reached', capped_until: '2026-11-23T10:00:00.001Z' });
    const reasonOf = (entry: typeof capped, at = AT) =>
      Object.keys(
        splitByEligibility([entry], LEAD, at, { refused: new Map([[7, 'daily_cap_reached']]) }).notEligible,
      );
    expect(reasonOf(aPoolEntry({ schedule: CLOSED }))).toEqual(['outside_schedule']);
    expect(reasonOf(capped)).toEqual(['weekly_cap_reached']);
    expect(reasonOf(capped, new Date('2026-11-23T10:00:00.001Z'))).toEqual(['daily_cap_reached']);
  });
});

it('the reason of a pending lead is the one that ends or can be changed soonest', () => {
  const inOrder = [
    ['daily_cap_reached', 'waits_for_opening'],
    ['below_min_investment', 'below_min_investment'],
    ['above_max_investment', 'above_max_investment'],
    ['outside_term', 'outside_term'],
    ['source_excluded', 'source_excluded'],
    ['limit_reached', 'limits_reached'],
    ['already_received', 'already_received'],
    ['consent_required', 'consent_missing'],
    ['refused_by_buyer', 'refused_by_buyers'],
    ['no_open_order', 'no_active_order'],
  ] as const;
  for (const [from, [, expected]] of inOrder.entries()) {
    const reasons = inOrder.slice(from).map(([reason]) => [reason, [1]] as const);
    expect(pendingReason(Object.fromEntries(reasons))).toBe(expected);
  }
  expect(pendingReason({})).toBe('no_active_order');
});
