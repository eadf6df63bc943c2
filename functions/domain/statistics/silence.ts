/**
 * Whether a source has become silent, compared with its usual traffic: the mean per hour of the week over the four weeks before its
 * last lead. It is silent when too many leads are missing for a coincidence.
 */
import { addDays, daysBetween } from '#shared/rules/working-days';

export interface Hour {
  readonly day: string;
  readonly hour: number;
}

export interface Silence {
  readonly last: Hour;
  readonly usual: number;
}

export const USUAL_DAYS = 28;
const WEEK_DAYS = 7;
/** With fewer leads there is no usual traffic. */
const MIN_LEADS = 10;
/** Poisson: none where five are usual has a probability below 1 in 140. */
const MIN_MISSED = 5;

const LAST_HOUR = 23;
/** On days of a clock change every hour counts once. */
const orderOf = (first: string, { day, hour }: Hour) => daysBetween(first, day) * (LAST_HOUR + 1) + hour;

/** @param now only whole hours before it count @returns undefined if it is not silent, or has no usual traffic yet */
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

/** Hour of the week, counted from `begin`. */
const slotOf = (begin: string, hour: Hour) => orderOf(begin, hour) % (WEEK_DAYS * (LAST_HOUR + 1));
