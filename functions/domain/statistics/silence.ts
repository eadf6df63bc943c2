/**
 * Whether a source fell silent. It is by its own habits: what usually comes in an hour of a day of the week is the mean over
 * the four weeks before its last lead. When so many leads would have come since then that none is no chance any more, the
 * source is silent. So a night or a weekend without leads says nothing of a source that never sends at that time.
 */
import { addDays, daysBetween } from '#shared/rules/working-days';

/** An hour of a day in Berlin. */
export interface Hour {
  readonly day: string;
  /** 0 to 23. */
  readonly hour: number;
}

export interface Silence {
  /** When the last lead came. */
  readonly last: Hour;
  /** How many leads usually come in the time since then. */
  readonly usual: number;
}

/** The days before the last lead by which it is known what is usual: four of each day of the week. */
export const USUAL_DAYS = 28;
const WEEK_DAYS = 7;
/** Fewer leads in these days are no habit. */
const MIN_LEADS = 10;
/** None where five are usual happens by chance once in 150 times. */
const MIN_MISSED = 5;

const LAST_HOUR = 23;
/** Sorts and counts hours; of the days of a change of the clock every hour of the day is taken once. */
const orderOf = (first: string, { day, hour }: Hour) => daysBetween(first, day) * (LAST_HOUR + 1) + hour;

/**
 * @param hours in which leads came, with their number, in any order
 * @param now only whole hours before it count
 * @returns undefined for a source that is not silent, or whose habits are not known
 */
export function silenceOf(
  hours: readonly (Hour & { readonly leads: number })[],
  now: Hour,
): Silence | undefined {
  const came = hours.filter(({ leads }) => leads > 0);
  const [some] = came;
  if (some === undefined) return undefined;
  const last = came.reduce((latest, hour) => (isAfter(hour, latest) ? hour : latest), some);
  const first = addDays(last.day, 1 - USUAL_DAYS);
  const counted = came.filter(({ day }) => day >= first);
  if (counted.reduce((all, { leads }) => all + leads, 0) < MIN_LEADS) return undefined;
  // A young source has been watched for less than four weeks.
  const begin = counted.reduce((earliest, { day }) => (day < earliest ? day : earliest), last.day);
  const watched = daysBetween(begin, last.day) + 1;
  const bySlot = new Map<number, number>();
  for (const { day, hour, leads } of counted) {
    const slot = slotOf(begin, { day, hour });
    bySlot.set(slot, (bySlot.get(slot) ?? 0) + leads);
  }
  let usual = 0;
  const end = orderOf(begin, now);
  for (let order = orderOf(begin, last) + 1; order < end; order += 1) {
    const slot = order % (WEEK_DAYS * (LAST_HOUR + 1));
    const weekDay = Math.floor(slot / (LAST_HOUR + 1));
    const times = Math.ceil((watched - weekDay) / WEEK_DAYS);
    usual += times > 0 ? (bySlot.get(slot) ?? 0) / times : 0;
  }
  return usual >= MIN_MISSED
    ? { last: { day: last.day, hour: last.hour }, usual: Math.round(usual) }
    : undefined;
}

const isAfter = (one: Hour, other: Hour) =>
  one.day > other.day || (one.day === other.day && one.hour > other.hour);

/** The hour of the week, counted from the day that the counting begins on. */
const slotOf = (begin: string, hour: Hour) => orderOf(begin, hour) % (WEEK_DAYS * (LAST_HOUR + 1));
