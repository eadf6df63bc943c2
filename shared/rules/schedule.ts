/**
 * The hours of a buyer: on which days of the week and between which times of the day in Berlin it takes leads. Pure.
 *
 * A window is a pair of instants, not a comparison of clock readings: it opens when the clocks first show its beginning and
 * closes when they first show its end. So on the day on which clocks go back it opens once, and on the day on which they go
 * forward a window that begins in the hour left out opens after that hour.
 */
import { addDays, berlinDay, berlinHour, isHoliday, weekdayOf } from '#shared/rules/working-days';

export interface Schedule {
  /** 1 for Monday to 7 for Sunday; at least one. */
  readonly weekdays: readonly number[];
  /** `HH:MM` in Berlin, from `00:00`. */
  readonly from: string;
  /** `HH:MM` in Berlin, up to `24:00`; later than `from`. The window ends before it. */
  readonly to: string;
  /** Whether nationwide public holidays are closed. */
  readonly holidays_off: boolean;
}

/** From the first instant to before the second one. */
interface Window {
  readonly opens: Date;
  readonly closes: Date;
}

const HOUR_MS = 3_600_000;
const MINUTES_PER_DAY = 1440;
/** No window is further away: a year has every weekday about fifty times and fewer holidays than that. */
const MAX_DAYS = 366;

/** Minutes since midnight of `HH:MM` up to `24:00`; undefined for any other text. */
export function minutesOf(time: string): number | undefined {
  const [, hours = '', minutes = ''] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return hours === '' || Number(minutes) > 59 || total > MINUTES_PER_DAY ? undefined : total;
}

/** Whether a buyer with this schedule takes leads at an instant; one without takes them always. */
export function isOpen(schedule: Schedule | undefined, at: Date): boolean {
  if (schedule === undefined) return true;
  const window = windowOn(schedule, dayAt(at));
  return window !== undefined && window.opens <= at && at < window.closes;
}

/**
 * The first instant from `at` on at which the schedule is open: `at` itself while it is.
 * @returns undefined if it never opens
 */
export function nextOpening(schedule: Schedule | undefined, at: Date): Date | undefined {
  if (schedule === undefined) return at;
  const today = berlinDay(at);
  for (let days = 0; days <= MAX_DAYS; days += 1) {
    const window = windowOn(schedule, addDays(today, days));
    if (window !== undefined && at < window.closes) return at < window.opens ? window.opens : at;
  }
  return undefined;
}

/**
 * The instant since which the schedule has been open without a break.
 * @returns undefined while it is closed, and for one that has no breaks
 */
export function openSince(schedule: Schedule | undefined, at: Date): Date | undefined {
  if (schedule === undefined || !isOpen(schedule, at)) return undefined;
  let day = dayAt(at);
  // Only windows of whole days follow each other without a break.
  if (minutesOf(schedule.from) === 0 && minutesOf(schedule.to) === MINUTES_PER_DAY)
    for (let days = 0; opensOn(schedule, addDays(day, -1)); days += 1) {
      if (days === MAX_DAYS) return undefined;
      day = addDays(day, -1);
    }
  return windowOn(schedule, day)?.opens;
}

/** Whether the schedule is open at some time of a day. */
export function opensOn(schedule: Schedule, day: string): boolean {
  return schedule.weekdays.includes(weekdayOf(day)) && !(schedule.holidays_off && isHoliday(day));
}

let last = { ms: Number.NaN, day: '' };

/** The day in Berlin, which is asked for the same instant once for each buyer of the pool. */
function dayAt(at: Date): string {
  if (at.getTime() !== last.ms) last = { ms: at.getTime(), day: berlinDay(at) };
  return last.day;
}

/** The last windows asked for: many buyers share theirs, and one is asked for with every lead. */
const known = new Map<string, Window>();
const MAX_KNOWN = 256;

function windowOn(schedule: Schedule, day: string): Window | undefined {
  if (!opensOn(schedule, day)) return undefined;
  const key = `${day} ${schedule.from} ${schedule.to}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const window = {
    opens: berlinInstant(day, minutesOf(schedule.from) ?? 0),
    closes: berlinInstant(day, minutesOf(schedule.to) ?? MINUTES_PER_DAY),
  };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, window);
  return window;
}

/**
 * The first instant of a day at which the clocks in Berlin show so many minutes since midnight, or more.
 * @param minutes 0 to 1440, which is the next midnight
 */
export function berlinInstant(day: string, minutes: number): Date {
  if (minutes === MINUTES_PER_DAY) return berlinInstant(addDays(day, 1), 0);
  const local = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000;
  const [summer, winter] = [new Date(local - 2 * HOUR_MS), new Date(local - HOUR_MS)];
  if (hoursAhead(summer) === 2) return summer;
  // In the hour that is left out neither fits: clocks go forward at a full hour.
  return hoursAhead(winter) === 1 ? winter : new Date(Math.floor(winter.getTime() / HOUR_MS) * HOUR_MS);
}

/** How many hours Berlin is ahead of UTC. */
const hoursAhead = (at: Date): number => (berlinHour(at) - at.getUTCHours() + 24) % 24;

/** The Monday of the ISO week in which a day is. */
export const weekOf = (day: string): string => addDays(day, 1 - weekdayOf(day));
