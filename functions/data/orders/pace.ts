/**
 * The pace of an order: how many leads, originals and replacements, it takes in a day and in a week of Berlin. An order
 * without caps and without an end date has none, and costs nothing for it. Pure.
 *
 * The counts lie in the order and change in the write that reserves. Which leads were taken on the day, and which in the week,
 * their numbers tell: those above `day_from` and `week_from`, the last numbers given before.
 */
import * as z from 'zod/mini';
import { type CapReason, UNCAPPED } from '#shared/rules/constants';
import { berlinInstant, opensOn, type Schedule, weekOf } from '#shared/rules/schedule';
import { addDays, isHoliday, weekdayOf, workingDaysBetween } from '#shared/rules/working-days';

/** What an admin sets; null: no such cap. */
export const capsSchema = z.object({
  daily_cap: z.nullable(z.int()),
  weekly_cap: z.nullable(z.int()),
  /** A day of Berlin, up to which what is left is spread over the working days. */
  ends_on: z.nullable(z.string()),
});
export type Caps = z.output<typeof capsSchema>;

export const NO_CAPS: Caps = { daily_cap: null, weekly_cap: null, ends_on: null };

export const paceSchema = z.extend(capsSchema, {
  /** The day that the counts are of: the last one on which a lead was taken, or the caps were set. */
  of_day: z.string(),
  day_from: z.int(),
  day_taken: z.int(),
  /** Fixed when the day begins with its first lead; `UNCAPPED` for any number. */
  day_allowance: z.int(),
  /** The Monday of its ISO week. */
  of_week: z.string(),
  week_from: z.int(),
  week_taken: z.int(),
  week_allowance: z.int(),
});
export type Pace = z.output<typeof paceSchema>;

/** What the pace of an order depends on besides itself. */
export interface PacedOrder {
  readonly pace?: Pace | undefined;
  readonly last_sequence: number;
  /** How many more leads it takes, whatever its pace. */
  readonly capacity: number;
}

/** Leads that an order has taken, by the numbers given before its day and its week. */
export type Taken = Pick<Pace, 'day_from' | 'day_taken' | 'week_from' | 'week_taken'>;

/**
 * The pace by new caps.
 * @param order.capacity after the change
 * @param taken on this day and in this week already
 * @returns undefined without any cap
 */
export function paceByCaps(
  caps: Caps,
  { capacity }: Pick<PacedOrder, 'capacity'>,
  taken: Taken,
  schedule: Schedule | undefined,
  day: string,
): Pace | undefined {
  if (caps.daily_cap === null && caps.weekly_cap === null && caps.ends_on === null) return undefined;
  return {
    daily_cap: caps.daily_cap,
    weekly_cap: caps.weekly_cap,
    ends_on: caps.ends_on,
    of_day: day,
    day_from: taken.day_from,
    day_taken: taken.day_taken,
    // What was left when the day began.
    day_allowance: allowance(caps, capacity + taken.day_taken, schedule, day),
    of_week: weekOf(day),
    week_from: taken.week_from,
    week_taken: taken.week_taken,
    week_allowance: caps.weekly_cap ?? UNCAPPED,
  };
}

/**
 * The pace of an order on a day, before its next lead. Days never go back: what a clock that is slow takes for yesterday is the
 * day that the order is in already.
 */
export function paceOn(order: PacedOrder, schedule: Schedule | undefined, day: string): Pace | undefined {
  const { pace, last_sequence, capacity } = order;
  if (pace === undefined || pace.of_day >= day) return pace;
  const week = weekOf(day);
  return {
    ...pace,
    of_day: day,
    day_from: last_sequence,
    day_taken: 0,
    day_allowance: allowance(pace, capacity, schedule, day),
    ...(week > pace.of_week && { of_week: week, week_from: last_sequence, week_taken: 0 }),
  };
}

/** How many more leads the order takes by its pace. */
export function paceRoom(pace: Pace | undefined): number {
  if (pace === undefined) return UNCAPPED;
  return Math.max(0, Math.min(pace.day_allowance - pace.day_taken, pace.week_allowance - pace.week_taken));
}

export interface Capped {
  readonly by: CapReason;
  /** When the day or the week ends, or the next day begins for which the end date leaves some. */
  readonly until: Date;
}

/** Which cap is reached; of two the one that lasts longer. */
export function cappedBy(pace: Pace | undefined, schedule: Schedule | undefined): Capped | undefined {
  if (pace === undefined || paceRoom(pace) > 0) return undefined;
  if (pace.week_taken >= pace.week_allowance)
    return { by: 'weekly_cap_reached', until: berlinInstant(addDays(pace.of_week, 7), 0) };
  let next = addDays(pace.of_day, 1);
  while (pace.ends_on !== null && next <= pace.ends_on && isWithout(schedule, next, pace.ends_on))
    next = addDays(next, 1);
  return { by: 'daily_cap_reached', until: berlinInstant(next, 0) };
}

/** The pace after a lead has left the order: its place is free on the day and in the week in which it was taken. */
export function paceWithout(pace: Pace, sequence: number): Pace {
  return {
    ...pace,
    day_taken: pace.day_taken - (sequence > pace.day_from ? 1 : 0),
    week_taken: pace.week_taken - (sequence > pace.week_from ? 1 : 0),
  };
}

/** @param left how many leads the order takes from this day on */
function allowance(caps: Caps, left: number, schedule: Schedule | undefined, day: string): number {
  return Math.min(caps.daily_cap ?? UNCAPPED, share(caps.ends_on, left, schedule, day));
}

/** The day's part of what is left, rounded up; `UNCAPPED` where no working day is left up to the end. */
function share(endsOn: string | null, left: number, schedule: Schedule | undefined, day: string): number {
  if (endsOn === null) return UNCAPPED;
  const days = workingDays(schedule, day, endsOn);
  if (days === 0) return UNCAPPED;
  return isWorkingDay(schedule, day) ? Math.ceil(left / days) : 0;
}

/** Whether the end date leaves nothing for a day, though working days follow. */
const isWithout = (schedule: Schedule | undefined, day: string, endsOn: string): boolean =>
  !isWorkingDay(schedule, day) && workingDays(schedule, day, endsOn) > 0;

/** Those from a day to another, both included. */
function workingDays(schedule: Schedule | undefined, from: string, to: string): number {
  if (schedule === undefined) return workingDaysBetween(addDays(from, -1), to);
  let count = 0;
  for (let day = from; day <= to; day = addDays(day, 1)) if (isWorkingDay(schedule, day)) count += 1;
  return count;
}

/** The working days of a buyer are those of its schedule; without one Monday to Friday without holidays. */
function isWorkingDay(schedule: Schedule | undefined, day: string): boolean {
  return schedule === undefined ? weekdayOf(day) <= 5 && !isHoliday(day) : opensOn(schedule, day);
}
