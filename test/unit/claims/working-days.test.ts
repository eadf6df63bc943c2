import * as fc from 'fast-check';
import { getHolidays } from 'feiertagejs';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addWorkingDays,
  berlinDay,
  daysBetween,
  formatDay,
  workingDaysBetween,
} from '#shared/rules/working-days';

const day = fc
  .date({ min: new Date('1995-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const independent = new Map<number, Set<string>>();

/** A year's nationwide holidays from an independent calendar. */
function knownHolidays(year: number): Set<string> {
  const days =
    independent.get(year) ??
    new Set(
      getHolidays(year, 'BUND').flatMap(({ name, dateString }) =>
        name.endsWith('SONNTAG') ? [] : [dateString],
      ),
    );
  independent.set(year, days);
  return days;
}

const isWeekend = (text: string) => new Date(`${text}T12:00:00Z`).getUTCDay() % 6 === 0;
const isWorkingDay = (text: string) => workingDaysBetween(addDays(text, -1), text) === 1;

/** Holidays of a year that fall on weekdays. */
function holidaysOnWeekdays(year: number): string[] {
  const found: string[] = [];
  for (let text = `${year}-01-01`; text <= `${year}-12-31`; text = addDays(text, 1))
    if (!isWeekend(text) && !isWorkingDay(text)) found.push(text);
  return found;
}

/** The definition, counted day by day. */
function countDayByDay(after: string, upTo: string): number {
  let count = 0;
  for (let date = new Date(`${after}T12:00:00Z`); ; ) {
    date = new Date(date.getTime() + 86_400_000);
    const text = date.toISOString().slice(0, 10);
    if (text > upTo) return count;
    if (!isWeekend(text) && !knownHolidays(date.getUTCFullYear()).has(text)) count += 1;
  }
}

const age = (delivered: string, now: string) =>
  workingDaysBetween(berlinDay(new Date(delivered)), berlinDay(new Date(now)));

it('holidays agree with an independent calendar from 1995 to 2100', () => {
  for (let year = 1995; year <= 2100; year += 1) {
    const known = [...knownHolidays(year)].filter((text) => !isWeekend(text));
    expect(holidaysOnWeekdays(year)).toEqual(known.toSorted());
  }
});

it('a working day is defined from the first full year of the Gregorian calendar to the last four-digit year', () => {
  expect(isWorkingDay('1583-01-03')).toBe(true);
  expect(isWorkingDay('9999-12-31')).toBe(true);
  expect(() => isWorkingDay('1582-12-31')).toThrow(RangeError);
  expect(() => isWorkingDay(addDays('9999-12-31', 1))).toThrow(RangeError);
});

describe('the date in Berlin', () => {
  it.each([
    ['2025-01-14T22:59:59.999Z', '2025-01-14'],
    ['2025-01-14T23:00:00.000Z', '2025-01-15'],
    ['2025-07-14T21:59:59.999Z', '2025-07-14'],
    ['2025-07-14T22:00:00.000Z', '2025-07-15'],
    ['2025-03-29T23:30:00.000Z', '2025-03-30'],
    ['2025-03-30T21:59:59.999Z', '2025-03-30'],
    ['2025-03-30T22:00:00.000Z', '2025-03-31'],
    ['2025-10-25T22:00:00.000Z', '2025-10-26'],
    ['2025-10-26T22:30:00.000Z', '2025-10-26'],
    ['2025-10-26T23:00:00.000Z', '2025-10-27'],
    ['2024-12-31T23:00:00.000Z', '2025-01-01'],
  ])('at %s is %s', (instant, expected) => {
    expect(berlinDay(new Date(instant))).toBe(expected);
  });

  it('rejects an invalid date with a message', () => {
    expect(() => berlinDay(new Date('gestern'))).toThrow('Ungültiges Lieferdatum');
    expect(() => berlinDay(new Date(8.64e15))).toThrow('Ungültiges Lieferdatum');
  });

  it.each(['', '2025-02-30', '2025-13-01', '25-01-01', '2025-1-1', '2025-01-01T00:00:00Z', '0000-01-01'])(
    'rejects %j as a date',
    (text) => {
      expect(() => addWorkingDays(text, 1)).toThrow(RangeError);
      expect(() => workingDaysBetween(text, '2025-01-01')).toThrow(RangeError);
    },
  );

  it('is formatted in German', () => {
    expect(formatDay('2025-05-14')).toBe('14.05.2025');
  });
});

describe('age in working days', () => {
  it('is never negative', () => {
    expect(age('2025-05-14T12:00:00Z', '2025-05-01T12:00:00Z')).toBe(0);
  });

  it('equals a count day by day', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 1500 }), (after, days) => {
        const upTo = addDays(after, days);
        expect(workingDaysBetween(after, upTo)).toBe(countDayByDay(after, upTo));
      }),
      { numRuns: 100 },
    );
  });
});

describe('adding working days', () => {
  it('skips consecutive holidays', () => {
    expect(addWorkingDays('2025-12-24', 1)).toBe('2025-12-29');
    expect(addWorkingDays('2025-12-24', 4)).toBe('2026-01-02');
    expect(addWorkingDays('2025-05-05', 7)).toBe('2025-05-14');
    expect(addWorkingDays('2025-05-10', 0)).toBe('2025-05-10');
  });

  it('ends on the first day of that age', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 400 }), (from, count) => {
        const reached = addWorkingDays(from, count);
        expect(isWorkingDay(reached)).toBe(true);
        expect(workingDaysBetween(from, reached)).toBe(count);
        expect(workingDaysBetween(from, addDays(reached, -1))).toBe(count - 1);
      }),
      { numRuns: 200 },
    );
  });

  it('differs from adding calendar days, which can also be negative', () => {
    expect(addDays('2025-12-24', 4)).toBe('2025-12-28');
    expect(daysBetween('2025-12-24', '2026-01-01')).toBe(8);
    expect(daysBetween('2026-01-01', '2025-12-24')).toBe(-8);
  });

  it.each([-1, 1.5, Number.NaN])('rejects %d days', (count) => {
    expect(() => addWorkingDays('2025-05-05', count)).toThrow(RangeError);
  });
});
