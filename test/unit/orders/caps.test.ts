/** Order caps set by an admin, and the resulting pace. */

import { describe, expect, it } from 'vitest';
import { type Caps, NO_CAPS, type Pace, paceWithout } from '#functions/data/orders/pace';
import { checkCaps, firstPace, paceAfter } from '#functions/domain/orders/caps';
import { UNCAPPED } from '#shared/rules/constants';
import { aLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

/** Wednesday in Berlin, where it is half past midnight. */
const NOW = new Date('2026-11-24T23:30:00.000Z');
const TODAY = '2026-11-25';
const MONDAY = '2026-11-23';
const DAILY: Caps = { ...NO_CAPS, daily_cap: 3 };

describe('an end date', () => {
  it.each([null, TODAY, '2026-12-24', '2028-11-25'])('may be %s', (ends_on) => {
    expect(() => checkCaps({ ...NO_CAPS, ends_on }, NOW)).not.toThrow();
  });

  it.each([
    ['2026-11-24', 'The end date has passed'],
    ['2028-11-26', 'The end date may be at most two years ahead'],
    ['2026-02-30', 'This date does not exist'],
    ['', 'This date does not exist'],
  ])('may not be %s', (ends_on, text) => {
    expect(() => checkCaps({ ...NO_CAPS, ends_on }, NOW)).toThrow(
      expect.objectContaining({ kind: 'invalid', message: text, fields: { ends_on: text } }),
    );
  });
});

describe('the first pace', () => {
  const followed = (of_day: string) =>
    anOrder({
      leads_received: 9,
      last_sequence: 9,
      pace: {
        ...DAILY,
        weekly_cap: 8,
        of_day,
        day_from: 7,
        day_received: 2,
        day_allowance: 3,
        of_week: MONDAY,
        week_from: 4,
        week_received: 5,
        week_allowance: 8,
      },
    });

  it('begins at zero, on the current date in Berlin', () => {
    expect(firstPace(NO_CAPS, 10, undefined, NOW)).toBeUndefined();
    expect(firstPace(DAILY, 10, undefined, NOW)).toEqual({
      ...DAILY,
      of_day: TODAY,
      day_from: 0,
      day_received: 0,
      day_allowance: 3,
      of_week: MONDAY,
      week_from: 0,
      week_received: 0,
      week_allowance: UNCAPPED,
    });
  });

  it('continues the previous order’s counts of today and this week, with its own sequence', () => {
    expect(firstPace(DAILY, 10, undefined, NOW, followed(TODAY))).toMatchObject({
      of_day: TODAY,
      day_from: 0,
      day_received: 2,
      week_from: 0,
      week_received: 5,
    });
    expect(firstPace(DAILY, 10, undefined, NOW, followed('2026-11-24'))).toMatchObject({
      of_day: TODAY,
      day_received: 0,
      week_received: 5,
    });
    // Another clock was ahead; the day never goes back.
    expect(firstPace(DAILY, 10, undefined, NOW, followed('2026-11-26'))).toMatchObject({
      of_day: '2026-11-26',
      day_received: 2,
    });
    expect(firstPace(DAILY, 10, undefined, NOW, anOrder())).toMatchObject({ of_day: TODAY, day_received: 0 });
  });
});

describe('the pace after a change', () => {
  /** An order with leads assigned at these times (UTC), numbered from 1, and the leads visible in the index. */
  const after = (
    assigned: readonly string[],
    { order = {}, listed = assigned.length, caps = DAILY, limit = 20, shown = assigned.length } = {},
  ) => {
    const leads = assigned.map((assigned_at, at) => aLead({ sequence: at + 1, assigned_at, order_id: 12 }));
    const table = changedTable(memoryTable(), {
      count: async () => listed,
      query: async () => ({ items: leads.slice(0, shown).toReversed(), next: undefined }),
    });
    return paceAfter(
      { table },
      anOrder({ lead_limit: 10, leads_received: leads.length, last_sequence: leads.length, ...order }),
      { leadLimit: limit, caps },
      undefined,
      NOW,
    );
  };
  const LAST_WEEK = '2026-11-22T22:59:59.999Z';
  const THIS_MONDAY = '2026-11-22T23:00:00.000Z';
  const YESTERDAY = '2026-11-24T22:59:59.999Z';
  const AFTER_MIDNIGHT = '2026-11-24T23:00:00.000Z';

  it('does not exist without caps', async () => {
    expect(await after([AFTER_MIDNIGHT], { caps: NO_CAPS })).toBeUndefined();
  });

  it('counts the leads of the day and week in Berlin time', async () => {
    expect(await after([LAST_WEEK, THIS_MONDAY, YESTERDAY, AFTER_MIDNIGHT, AFTER_MIDNIGHT])).toMatchObject({
      of_day: TODAY,
      day_from: 3,
      day_received: 2,
      of_week: MONDAY,
      week_from: 1,
      week_received: 4,
    });
    expect(await after([])).toMatchObject({ day_from: 0, day_received: 0, week_received: 0 });
  });

  it('keeps the counts of today when a lead of an earlier week is released', async () => {
    const none = { day_from: 2, day_received: 0, week_from: 2, week_received: 0 };
    const pace = await after([LAST_WEEK, LAST_WEEK]);
    expect(pace).toMatchObject(none);
    expect(paceWithout(pace!, 2)).toMatchObject(none);
    const one = await after([LAST_WEEK, LAST_WEEK, AFTER_MIDNIGHT]);
    expect(one).toMatchObject({ ...none, day_received: 1, week_received: 1 });
    expect(paceWithout(one!, 2)).toEqual(one);
    expect(paceWithout(one!, 3)).toMatchObject(none);
  });

  it('counts reserved leads, and new leads that are not in the index yet', async () => {
    const order = { leads_received: 5, last_sequence: 5, reservations: { 'a.1': 5 } };
    // The first three are in the index and the fifth is reserved, so the fourth is assigned but not indexed yet.
    const assigned = [LAST_WEEK, YESTERDAY, AFTER_MIDNIGHT];
    expect(await after(assigned, { order, listed: 3 })).toMatchObject({
      day_from: 2,
      day_received: 3,
      week_received: 4,
    });
    expect(await after([], { order: { ...order, reservations: {} }, listed: 5 })).toMatchObject({
      day_received: 0,
    });
    const replacement = { leads_received: 0, reimbursement_delivered: 1, last_sequence: 1 };
    expect(await after([], { order: replacement, listed: 0 })).toMatchObject({
      day_received: 1,
      week_received: 1,
    });
    const deleted = { leads_received: 2, compensated_deletions: 1, last_sequence: 2 };
    expect(await after([], { order: deleted, listed: 1 })).toMatchObject({ day_received: 0 });
  });

  it('keeps the known counts, and spreads the new limit', async () => {
    const pace: Pace = {
      ...DAILY,
      of_day: TODAY,
      day_from: 4,
      day_received: 1,
      day_allowance: 3,
      of_week: MONDAY,
      week_from: 2,
      week_received: 3,
      week_allowance: UNCAPPED,
    };
    const caps: Caps = { daily_cap: null, weekly_cap: 7, ends_on: '2026-11-27' };
    // Fifteen of twenty are left for three days, and one was delivered today.
    expect(
      await after([], { order: { leads_received: 5, last_sequence: 5, pace }, caps, listed: 5 }),
    ).toEqual({ ...pace, ...caps, day_allowance: 6, week_allowance: 7 });
  });
});
