/** The clock and the calendar of Berlin. */
import type { Item } from '#test/simulation/referee/facts';

const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The nationwide holidays of the years in which worlds are. */
const HOLIDAYS: ReadonlySet<string> = new Set(
  `2026-01-01 2026-04-03 2026-04-06 2026-05-01 2026-05-14 2026-05-25 2026-10-03 2026-12-25 2026-12-26
  2027-01-01 2027-03-26 2027-03-29 2027-05-01`.split(/\s+/),
);

/** What the clocks show, as `2026-03-02 09:00`, by the minute. */
const shown = new Map<number, string>();
function clockAt(at: number): string {
  const minute = Math.floor(at / MINUTE_MS);
  const known = shown.get(minute) ?? CLOCK.format(minute * MINUTE_MS);
  if (shown.size > 10_000) shown.clear();
  shown.set(minute, known);
  return known;
}

export const dayAt = (at: number) => clockAt(at).slice(0, 10);
const minutesAt = (at: number) => minutesOf(clockAt(at).slice(11));
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
export const dayAfter = (day: string, days = 1) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
/** 1 for Monday to 7 for Sunday. */
const weekdayOf = (day: string) => new Date(`${day}T12:00:00Z`).getUTCDay() || 7;
export const mondayOf = (day: string) => dayAfter(day, 1 - weekdayOf(day));
/** The instant at which a day begins. */
export function beginOf(day: string): number {
  const winter = Date.parse(`${day}T00:00:00Z`) - HOUR_MS;
  return clockAt(winter).endsWith('00:00') ? winter : winter - HOUR_MS;
}

/** The latest time that clocks have shown on this day so far: in the hour that comes twice they go back. */
function latestAt(at: number): number {
  const [now, before] = [minutesAt(at), minutesAt(at - HOUR_MS)];
  return now === before ? Math.floor(now / 60) * 60 + 59 : now;
}

function isDayOf(schedule: Item, day: string): boolean {
  const isOff = schedule.holidays_off === true && HOLIDAYS.has(day);
  return (schedule.weekdays as number[]).includes(weekdayOf(day)) && !isOff;
}

/** Whether a buyer with these hours takes leads at an instant; one without hours always does. */
export function isOpenAt(hours: unknown, at: number): boolean {
  if (hours === undefined || hours === null) return true;
  const schedule = hours as Item;
  const latest = latestAt(at);
  return (
    isDayOf(schedule, dayAt(at)) &&
    minutesOf(String(schedule.from)) <= latest &&
    latest < minutesOf(String(schedule.to))
  );
}

/** Days on which something is due: those of the hours, without hours Monday to Friday without holidays. */
export function isWorkingDay(hours: unknown, day: string): boolean {
  if (hours === undefined || hours === null) return weekdayOf(day) <= 5 && !HOLIDAYS.has(day);
  return isDayOf(hours as Item, day);
}
