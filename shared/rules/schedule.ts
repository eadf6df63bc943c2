/**
 * When a buyer takes leads, in Berlin time. A window is a pair of instants: it opens when clocks first show its start and
 * closes when they first show its end. So it opens once on the day clocks go back, and after the skipped hour on the day they
 * go forward.
 */
import { addDays, berlinDay, berlinHour, isHoliday, weekdayOf } from '#shared/rules/working-days';

export interface Schedule {
  /** 1 for Monday to 7 for Sunday; at least one. */
  readonly weekdays: readonly number[];
  /** `HH:MM` in Berlin, from `00:00`. */
  readonly from: string;
  /** `HH:MM` in Berlin, up to `24:00`, exclusive. */
  readonly to: string;
  readonly holidays_off: boolean;
}

/** Half-open. */
interface Window {
  readonly opens: Date;
  readonly closes: Date;
}

const HOUR_MS = 3_600_000;
const MINUTES_PER_DAY = 1440;
/** A year has more of each weekday than holidays, so an opening is found. */
const MAX_DAYS = 366;

/** Minutes since midnight of `HH:MM` up to `24:00`. */
export function minutesOf(time: string): number | undefined {
  const [, hours = '', minutes = ''] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return hours === '' || Number(minutes) > 59 || total > MINUTES_PER_DAY ? undefined : total;
}

/** No schedule: always open. */
export function isOpen(schedule: Schedule | undefined, at: Date): boolean {
  if (schedule === undefined) return true;
  const window = windowOn(schedule, dayAt(at));
  return window !== undefined && window.opens <= at && at < window.closes;
}

/** @returns `at` itself while it is open; undefined if it never opens */
export function nextOpening(schedule: Schedule | undefined, at: Date): Date | undefined {
  if (schedule === undefined) return at;
  const today = berlinDay(at);
  for (let days = 0; days <= MAX_DAYS; days += 1) {
    const window = windowOn(schedule, addDays(today, days));
    if (window !== undefined && at < window.closes) return at < window.opens ? window.opens : at;
  }
  return undefined;
}

/** @returns undefined while it is closed, or if it never closes */
export function openSince(schedule: Schedule | undefined, at: Date): Date | undefined {
  if (schedule === undefined || !isOpen(schedule, at)) return undefined;
  let day = dayAt(at);
  // Only windows of whole days are adjacent.
  if (minutesOf(schedule.from) === 0 && minutesOf(schedule.to) === MINUTES_PER_DAY)
    for (let days = 0; opensOn(schedule, addDays(day, -1)); days += 1) {
      if (days === MAX_DAYS) return undefined;
      day = addDays(day, -1);
    }
  return windowOn(schedule, day)?.opens;
}

export function opensOn(schedule: Schedule, day: string): boolean {
  return schedule.weekdays.includes(weekdayOf(day)) && !(schedule.holidays_off && isHoliday(day));
}

let last = { ms: Number.NaN, day: '' };

/** Cached: asked for the same instant for each buyer of the pool. */
function dayAt(at: Date): string {
  if (at.getTime() !== last.ms) last = { ms: at.getTime(), day: berlinDay(at) };
  return last.day;
}

/** Cached: many buyers share a window, and every lead asks. */
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

/** The first instant of a day when Berlin clocks show at least these minutes. @param minutes 0 to 1440 */
export function berlinInstant(day: string, minutes: number): Date {
  if (minutes === MINUTES_PER_DAY) return berlinInstant(addDays(day, 1), 0);
  const local = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000;
  const [summer, winter] = [new Date(local - 2 * HOUR_MS), new Date(local - HOUR_MS)];
  if (hoursAhead(summer) === 2) return summer;
  // In the skipped hour neither fits: clocks go forward at a full hour.
  return hoursAhead(winter) === 1 ? winter : new Date(Math.floor(winter.getTime() / HOUR_MS) * HOUR_MS);
}

const hoursAhead = (at: Date): number => (berlinHour(at) - at.getUTCHours() + 24) % 24;

/** By ISO week. */
export const weekOf = (day: string): string => addDays(day, 1 - weekdayOf(day));
