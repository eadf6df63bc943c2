/** Monday to Friday without nationwide public holidays, by Berlin dates. A day is `YYYY-MM-DD`. */
import { TIME_ZONE } from '#shared/rules/formats';
import { lazy } from '#shared/rules/lazy';

/** Buyers see this text. */
export const INVALID_DELIVERY_DATE = 'Ungültiges Lieferdatum';

const DAY_MS = 86_400_000;
/** The Easter formula is for the Gregorian calendar. */
const FIRST_YEAR = 1583;
const LAST_YEAR = 9999;

const berlin = lazy(
  () =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: TIME_ZONE,
      calendar: 'gregory',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);

/** @throws RangeError for an invalid date or a year outside 1583 to 9999 */
export function berlinDay(instant: Date): string {
  if (Number.isNaN(instant.getTime())) throw new RangeError(INVALID_DELIVERY_DATE);
  const [month, day, year] = berlin().format(instant).split('/');
  const text = `${year}-${month}-${day}`;
  toNumber(text);
  return text;
}

const clock = lazy(
  () => new Intl.DateTimeFormat('en-US', { timeZone: TIME_ZONE, hour: '2-digit', hourCycle: 'h23' }),
);

export const berlinHour = (instant: Date): number => Number(clock().format(instant));

/** The second day counts, the first does not. @throws RangeError for an invalid day */
export function workingDaysBetween(after: string, upTo: string): number {
  const first = toNumber(after);
  const last = toNumber(upTo);
  if (last <= first) return 0;
  return weekdaysUpTo(last) - weekdaysUpTo(first) - holidaysOnWeekdays(first, last);
}

/** @returns `day` itself for 0 @throws RangeError for an invalid day, or a count that is negative or not whole */
export function addWorkingDays(day: string, count: number): string {
  if (!Number.isInteger(count) || count < 0) throw new RangeError('Not a number of days');
  let current = toNumber(day);
  // Every holiday requires one more weekday, and the longer range may contain another holiday.
  for (let missing = count; missing > 0; ) {
    const reached = addWeekdays(current, missing);
    missing = holidaysOnWeekdays(current, reached);
    current = reached;
  }
  return toDay(current);
}

/** @throws RangeError for an invalid day */
export function addDays(day: string, count: number): string {
  return toDay(toNumber(day) + count);
}

export function daysBetween(from: string, to: string): number {
  return toNumber(to) - toNumber(from);
}

/** 1 for Monday to 7 for Sunday. @throws RangeError for an invalid day */
export function weekdayOf(day: string): number {
  return weekday(toNumber(day)) + 1;
}

export function isHoliday(day: string): boolean {
  return holidaysOf(Number(day.slice(0, 4))).has(toNumber(day));
}

export function isDay(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    year >= FIRST_YEAR &&
    year <= LAST_YEAR &&
    toDay(unchecked(text)) === text
  );
}

/** `14.05.2025` from `2025-05-14`. */
export function formatDay(day: string): string {
  return `${day.slice(8, 10)}.${day.slice(5, 7)}.${day.slice(0, 4)}`;
}

/** Days since 1970-01-01, a Thursday. @throws RangeError for an invalid day */
function toNumber(day: string): number {
  if (!isDay(day)) throw new RangeError(INVALID_DELIVERY_DATE);
  return unchecked(day);
}

function unchecked(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function toDay(number: number): string {
  return Number.isNaN(number) ? '' : new Date(number * DAY_MS).toISOString().slice(0, 10);
}

function weekday(number: number): number {
  return (((number + 3) % 7) + 7) % 7;
}

function isWeekend(number: number): boolean {
  return weekday(number) > 4;
}

/** Since 1969-12-29, a Monday; negative before it. */
function weekdaysUpTo(number: number): number {
  const weeks = Math.floor((number + 3) / 7);
  return weeks * 5 + Math.min(weekday(number) + 1, 5);
}

function addWeekdays(from: number, count: number): number {
  const friday = isWeekend(from) ? from - (weekday(from) - 4) : from;
  const restOfWeek = 4 - weekday(friday);
  const weekends = count > restOfWeek ? Math.floor((count - restOfWeek - 1) / 5) + 1 : 0;
  return friday + count + weekends * 2;
}

function holidaysOnWeekdays(after: number, upTo: number): number {
  const firstYear = new Date(after * DAY_MS).getUTCFullYear();
  const lastYear = new Date(upTo * DAY_MS).getUTCFullYear();
  let count = 0;
  for (let year = firstYear; year <= lastYear; year += 1) {
    for (const holiday of holidaysOf(year)) {
      if (holiday > after && holiday <= upTo && !isWeekend(holiday)) count += 1;
    }
  }
  return count;
}

const cache = new Map<number, ReadonlySet<number>>();

/**
 * By the laws of the Länder since 1995, as days since 1970. Easter Sunday, Whit Sunday, 24 and 31 December are none; 31
 * October was one in 2017 only.
 */
function holidaysOf(year: number): ReadonlySet<number> {
  const known = cache.get(year);
  if (known !== undefined) return known;
  const easter = easterSunday(year);
  const fixed = (month: number, day: number) => Date.UTC(year, month - 1, day) / DAY_MS;
  const days = new Set([
    fixed(1, 1),
    easter - 2,
    easter + 1,
    fixed(5, 1),
    easter + 39,
    easter + 50,
    fixed(10, 3),
    fixed(12, 25),
    fixed(12, 26),
  ]);
  if (year === 2017) days.add(fixed(10, 31));
  cache.set(year, days);
  return days;
}

/** Anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1) / DAY_MS;
}
