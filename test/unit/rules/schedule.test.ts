import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  berlinInstant,
  isOpen,
  minutesOf,
  nextOpening,
  openSince,
  type Schedule,
  weekOf,
} from '#shared/rules/schedule';
import { addDays, berlinDay } from '#shared/rules/working-days';

const office: Schedule = { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', holidays_off: true };
const at = (text: string) => new Date(text);

describe('opening hours', () => {
  it.each([
    ['at their beginning', '2026-11-23T07:00:00Z', true],
    ['just before it', '2026-11-23T06:59:59.999Z', false],
    ['just before their end', '2026-11-23T16:59:59.999Z', true],
    ['at their end', '2026-11-23T17:00:00Z', false],
    ['on a Saturday', '2026-11-21T11:00:00Z', false],
    ['on a holiday', '2026-12-25T11:00:00Z', false],
    ['in summer, two hours ahead of UTC', '2026-07-06T06:00:00Z', true],
    ['in summer before that', '2026-07-06T05:59:59Z', false],
  ])('are open or closed %s', (_, instant, open) => {
    expect(isOpen(office, at(instant))).toBe(open);
  });

  it('are always open if undefined, and can cover the whole day', () => {
    const always: Schedule = {
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      from: '00:00',
      to: '24:00',
      holidays_off: false,
    };
    for (const schedule of [undefined, always]) {
      expect(isOpen(schedule, at('2026-12-25T23:30:00Z'))).toBe(true);
      expect(openSince(schedule, at('2026-12-25T23:30:00Z'))).toBeUndefined();
    }
    const closedOnHolidays = { ...always, holidays_off: true };
    expect(openSince(closedOnHolidays, at('2026-12-31T12:00:00Z'))).toEqual(at('2026-12-26T23:00:00Z'));
  });

  it('open next on the next open day, over weekends and holidays', () => {
    expect(nextOpening(office, at('2026-11-23T10:00:00Z'))).toEqual(at('2026-11-23T10:00:00Z'));
    expect(nextOpening(office, at('2026-11-20T17:00:00Z'))).toEqual(at('2026-11-23T07:00:00Z'));
    expect(nextOpening(office, at('2026-12-24T17:00:00Z'))).toEqual(at('2026-12-28T07:00:00Z'));
    expect(openSince(office, at('2026-11-23T10:00:00Z'))).toEqual(at('2026-11-23T07:00:00Z'));
    expect(openSince(office, at('2026-11-22T10:00:00Z'))).toBeUndefined();
  });

  it('that begin in the skipped hour open after it', () => {
    const night: Schedule = { weekdays: [7], from: '02:30', to: '06:00', holidays_off: false };
    expect(nextOpening(night, at('2026-03-28T23:00:00Z'))).toEqual(at('2026-03-29T01:00:00Z'));
    expect(isOpen(night, at('2026-03-29T00:59:59Z'))).toBe(false);
    expect(isOpen(night, at('2026-03-29T03:59:59Z'))).toBe(true);
    expect(isOpen(night, at('2026-03-29T04:00:00Z'))).toBe(false);
  });

  it('open and close once on a day with a repeated hour', () => {
    const night: Schedule = { weekdays: [7], from: '02:15', to: '02:45', holidays_off: false };
    expect(isOpen(night, at('2026-10-25T00:15:00Z'))).toBe(true);
    expect(isOpen(night, at('2026-10-25T00:45:00Z'))).toBe(false);
    expect(isOpen(night, at('2026-10-25T01:30:00Z'))).toBe(false);
    const morning = { ...night, to: '06:00' };
    expect(isOpen(morning, at('2026-10-25T01:05:00Z'))).toBe(true);
    expect(isOpen(morning, at('2026-10-25T05:00:00Z'))).toBe(false);
  });

  const schedules = fc
    .record({
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: fc.integer({ min: 0, max: 1439 }),
      length: fc.integer({ min: 1, max: 1440 }),
      holidays_off: fc.boolean(),
    })
    .map(({ weekdays, from, length, holidays_off }): Schedule => {
      const text = (minutes: number) =>
        `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
      return { weekdays, from: text(from), to: text(Math.min(1440, from + length)), holidays_off };
    });
  const instants = fc.date({
    min: at('2026-01-01T00:00:00Z'),
    max: at('2028-12-31T00:00:00Z'),
    noInvalidDate: true,
  });

  it('are closed before an opening, and open from it on', () => {
    fc.assert(
      fc.property(
        schedules,
        instants,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (schedule, instant, part) => {
          const next = nextOpening(schedule, instant)!;
          expect(isOpen(schedule, next)).toBe(true);
          const between = new Date(instant.getTime() + (next.getTime() - instant.getTime()) * part);
          expect(between < next && isOpen(schedule, between)).toBe(false);
          const since = openSince(schedule, next);
          if (since === undefined) return;
          expect(isOpen(schedule, since)).toBe(true);
          expect(isOpen(schedule, new Date(since.getTime() - 1))).toBe(false);
          const within = new Date(since.getTime() + (next.getTime() - since.getTime()) * part);
          expect(isOpen(schedule, within)).toBe(true);
        },
      ),
    );
  });
});

describe('a time of day', () => {
  it('has hours and minutes up to midnight', () => {
    expect(['00:00', '08:30', '24:00'].map(minutesOf)).toEqual([0, 510, 1440]);
    expect(['24:01', '8:30', '12:60', '', '25:00', '08:300', '008:30'].map(minutesOf)).toEqual(
      Array.from({ length: 7 }, () => undefined),
    );
  });

  it('is the first time of its day with that clock time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1095 }), fc.integer({ min: 0, max: 1439 }), (days, minutes) => {
        const day = addDays('2026-01-01', days);
        const instant = berlinInstant(day, minutes);
        expect(berlinDay(instant)).toBe(day);
        const shown = (date: Date) =>
          new Intl.DateTimeFormat('en-GB', {
            timeZone: 'Europe/Berlin',
            hour: '2-digit',
            minute: '2-digit',
          }).format(date);
        const wanted = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
        expect(shown(instant) >= wanted).toBe(true);
        const before = new Date(instant.getTime() - 1);
        expect(berlinDay(before) < day || shown(before) < wanted).toBe(true);
      }),
    );
  });
});

it('a week begins on Monday, even over the new year', () => {
  expect(['2026-11-22', '2026-11-23', '2027-01-01', '2027-01-03', '2027-01-04'].map(weekOf)).toEqual([
    '2026-11-16',
    '2026-11-23',
    '2026-12-28',
    '2026-12-28',
    '2027-01-04',
  ]);
});
