import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceAt } from '#functions/data/orders/order';
import {
  type Caps,
  cappedBy,
  NO_CAPS,
  type Pace,
  paceByCaps,
  paceCapacity,
} from '#functions/data/orders/pace';
import { UNCAPPED } from '#shared/rules/constants';
import type { Schedule } from '#shared/rules/schedule';
import { addDays, isHoliday, weekdayOf } from '#shared/rules/working-days';
import { anOrder } from '#test/factories/orders';

const NOTHING = { day_from: 0, day_received: 0, week_from: 0, week_received: 0 };
const paceOf = (caps: Partial<Caps>, capacity: number, day: string, schedule?: Schedule) =>
  paceByCaps({ ...NO_CAPS, ...caps }, { capacity }, NOTHING, schedule, day);
const noon = (day: string) => new Date(`${day}T11:00:00Z`);

describe('the pace of an order', () => {
  it('does not exist without caps', () => {
    expect(paceOf({}, 80, '2026-11-23')).toBeUndefined();
    expect(paceCapacity(undefined)).toBe(UNCAPPED);
  });

  it('starts a day and a week with their first lead, and never goes back', () => {
    const pace = {
      ...paceOf({ daily_cap: 3, weekly_cap: 5 }, 80, '2027-01-02')!,
      day_received: 3,
      week_received: 5,
    };
    const order = anOrder({ lead_limit: 80, leads_received: 9, last_sequence: 9, pace });
    // The week of Saturday, 2 January 2027 is the 53rd of 2026.
    expect(pace.of_week).toBe('2026-12-28');
    expect(paceAt(order, null, noon('2027-01-03'))).toMatchObject({
      day_received: 0,
      day_from: 9,
      week_received: 5,
    });
    expect(paceAt(order, null, noon('2027-01-04'))).toMatchObject({
      of_week: '2027-01-04',
      week_received: 0,
      week_from: 9,
    });
    expect(paceAt(order, null, noon('2027-01-01'))).toBe(pace);
  });

  it('returns the reached cap, and until which midnight in Berlin it applies', () => {
    const pace = {
      ...paceOf({ daily_cap: 3, weekly_cap: 5 }, 80, '2026-10-24')!,
      day_received: 3,
      week_received: 3,
    };
    const until = new Date('2026-10-24T22:00:00Z');
    expect(cappedBy(pace, undefined)).toEqual({ by: 'daily_cap_reached', until });
    // Monday after the end of daylight saving time.
    expect(cappedBy({ ...pace, week_received: 5 }, undefined)).toEqual({
      by: 'weekly_cap_reached',
      until: new Date('2026-10-25T23:00:00Z'),
    });
    expect(cappedBy({ ...pace, day_received: 2 }, undefined)).toBeUndefined();
  });
});

describe('an end date', () => {
  it('spreads the remaining leads over the remaining working days', () => {
    // Monday to Wednesday of the next week are eight working days.
    expect(paceOf({ ends_on: '2026-12-02' }, 80, '2026-11-23')?.day_allowance).toBe(10);
    expect(paceOf({ ends_on: '2026-12-02' }, 81, '2026-11-23')?.day_allowance).toBe(11);
    expect(paceOf({ ends_on: '2026-12-02', daily_cap: 4 }, 80, '2026-11-23')?.day_allowance).toBe(4);
    // Neither 25 and 26 December nor weekends count.
    expect(paceOf({ ends_on: '2026-12-28' }, 4, '2026-12-24')?.day_allowance).toBe(2);
  });

  it('allows no leads on weekends, and has no effect once it has passed', () => {
    const saturday = paceOf({ ends_on: '2026-12-02' }, 80, '2026-11-28')!;
    expect(saturday.day_allowance).toBe(0);
    expect(cappedBy(saturday, undefined)).toEqual({
      by: 'daily_cap_reached',
      until: new Date('2026-11-29T23:00:00Z'),
    });
    expect(paceOf({ ends_on: '2026-11-29' }, 80, '2026-11-28')?.day_allowance).toBe(UNCAPPED);
    expect(paceOf({ ends_on: '2026-12-02' }, 80, '2026-12-03')?.day_allowance).toBe(UNCAPPED);
  });

  it('before the next working day allows the remaining leads on the weekend', () => {
    const friday = { ...paceOf({ ends_on: '2026-11-29', daily_cap: 2 }, 80, '2026-11-27')!, day_received: 2 };
    expect(cappedBy(friday, undefined)).toEqual({
      by: 'daily_cap_reached',
      until: new Date('2026-11-27T23:00:00Z'),
    });
    const monday = { ...friday, ends_on: '2026-12-02' };
    expect(cappedBy(monday, undefined)?.until).toEqual(new Date('2026-11-29T23:00:00Z'));
  });

  it('counts the working days of its buyer', () => {
    const weekends: Schedule = { weekdays: [6, 7], from: '08:00', to: '12:00', holidays_off: false };
    expect(paceOf({ ends_on: '2026-12-06' }, 8, '2026-11-28', weekends)?.day_allowance).toBe(2);
    expect(paceOf({ ends_on: '2026-12-06' }, 8, '2026-11-30', weekends)?.day_allowance).toBe(0);
  });

  it('is met exactly, with equal numbers on each working day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 40 }), (limit, days) => {
        const ends_on = addDays('2026-11-23', days);
        const working = (day: string) => weekdayOf(day) <= 5 && !isHoliday(day);
        const all = Array.from({ length: days + 1 }, (_, at) => addDays('2026-11-23', at));
        const even = limit / all.filter(working).length;
        const order = anOrder({ lead_limit: limit, pace: paceOf({ ends_on }, limit, '2026-11-23') });
        for (const day of all) {
          const pace: Pace = paceAt(order, null, noon(day))!;
          const gets = Math.min(paceCapacity(pace), limit - order.leads_received);
          expect(working(day) ? [Math.floor(even), Math.ceil(even)] : [0]).toContain(gets);
          order.leads_received += gets;
          order.last_sequence += gets;
          order.pace = { ...pace, day_received: gets };
        }
        expect(order.leads_received).toBe(limit);
      }),
    );
  });
});
