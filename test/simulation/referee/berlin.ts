/** Clock and calendar of Berlin. */
import { DAY_MS, type Item, MINUTE_MS } from '#test/simulation/referee/facts';

const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'short',
});
const HOUR_MS = 60 * MINUTE_MS;

/** The nationwide holidays of the simulated years. */
const HOLIDAYS: ReadonlySet<string> = new Set(
  `2026-01-01 2026-04-03 2026-04-06 2026-05-01 2026-05-14 2026-05-25 2026-10-03 2026-12-25 2026-12-26
  2027-01-01 2027-03-26 2027-03-29 2027-05-01`.split(/\s+/),
);

/** The local time, as `2026-03-02 09:00`. */
const shown = new Map<number, string>();
function clockAt(at: number): string {
  const minute = Math.floor(at / MINUTE_MS);
  const known = shown.get(minute) ?? CLOCK.format(minute * MINUTE_MS);
  if (shown.size > 10_000) shown.clear();
  shown.set(minute, known);
  return known;
}

export const dayAt = (at: number) => clockAt(at).slice(0, 10);
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
export const dayAfter = (day: string, days = 1) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
/** 1 for Monday to 7 for Sunday. */
const weekdayOf = (day: string) => new Date(day).getUTCDay() || 7;
export const mondayOf = (day: string) => dayAfter(day, 1 - weekdayOf(day));
/** The start of a day. */
export function beginOf(day: string): number {
  const winter = Date.parse(day) - HOUR_MS;
  return clockAt(winter).endsWith('00:00') ? winter : winter - HOUR_MS;
}

/** The latest local time shown on this day so far: in the repeated hour clocks go back. */
function latestAt(at: number): number {
  const [now = 0, before = 0] = [at, at - HOUR_MS].map((then) => minutesOf(clockAt(then).slice(11)));
  return now === before ? Math.floor(now / 60) * 60 + 59 : now;
}

/** The days with leads: those with opening hours, or Monday to Friday except holidays. */
export function isWorkingDay(hours: unknown, day: string): boolean {
  const { weekdays, holidays_off } = (hours ?? { weekdays: [1, 2, 3, 4, 5], holidays_off: true }) as Item;
  return (weekdays as number[]).includes(weekdayOf(day)) && !(holidays_off === true && HOLIDAYS.has(day));
}

/** Whether a buyer with these hours accepts leads at a given time; without hours always. */
export function isOpenAt(hours: unknown, at: number): boolean {
  if (hours === undefined || hours === null) return true;
  const [{ from, to }, latest] = [hours as Item, latestAt(at)];
  return (
    isWorkingDay(hours, dayAt(at)) && minutesOf(String(from)) <= latest && latest < minutesOf(String(to))
  );
}
