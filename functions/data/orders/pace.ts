/**
 * The pace of an order: how many leads, originals and replacements, it receives per day and week in Berlin. The counts
 * are part of the order and change in the write that reserves. Leads numbered above `day_from` and `week_from` belong to
 * the current day and week.
 */
import * as z from 'zod/mini';
import { type CapReason, UNCAPPED } from '#shared/rules/constants';
import { berlinInstant, opensOn, type Schedule, weekOf } from '#shared/rules/schedule';
import { addDays, isHoliday, weekdayOf, workingDaysBetween } from '#shared/rules/working-days';

export const capsSchema = z.object({
  daily_cap: z.nullable(z.int()),
  weekly_cap: z.nullable(z.int()),
  /** A day of Berlin, up to which the rest is spread over the working days. */
  ends_on: z.nullable(z.string()),
});
export type Caps = z.output<typeof capsSchema>;

export const NO_CAPS: Caps = { daily_cap: null, weekly_cap: null, ends_on: null };

export const paceSchema = z.extend(capsSchema, {
  of_day: z.string(),
  day_from: z.int(),
  day_received: z.int(),
  /** Fixed when the day begins with its first lead. */
  day_allowance: z.int(),
  of_week: z.string(),
  week_from: z.int(),
  week_received: z.int(),
  week_allowance: z.int(),
});
export type Pace = z.output<typeof paceSchema>;

export interface PacedOrder {
  readonly pace?: Pace | undefined;
  readonly last_sequence: number;
  readonly capacity: number;
}

export type Taken = Pick<Pace, 'day_from' | 'day_received' | 'week_from' | 'week_received'>;

/**
 * @param order.capacity after the change
 * @param taken on this day and in this week already
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
    day_received: taken.day_received,
    // What was left when the day began.
    day_allowance: allowance(caps, capacity + taken.day_received, schedule, day),
    of_week: weekOf(day),
    week_from: taken.week_from,
    week_received: taken.week_received,
    week_allowance: caps.weekly_cap ?? UNCAPPED,
  };
}

/** Before the order's next lead. Days never go back, even if a clock is slow. */
export function paceOn(order: PacedOrder, schedule: Schedule | undefined, day: string): Pace | undefined {
  const { pace, last_sequence, capacity } = order;
  if (pace === undefined || pace.of_day >= day) return pace;
  const week = weekOf(day);
  return {
    ...pace,
    of_day: day,
    day_from: last_sequence,
    day_received: 0,
    day_allowance: allowance(pace, capacity, schedule, day),
    ...(week > pace.of_week && { of_week: week, week_from: last_sequence, week_received: 0 }),
  };
}

export function paceCapacity(pace: Pace | undefined): number {
  if (pace === undefined) return UNCAPPED;
  return Math.max(
    0,
    Math.min(pace.day_allowance - pace.day_received, pace.week_allowance - pace.week_received),
  );
}

export interface Capped {
  readonly by: CapReason;
  readonly until: Date;
}

export function cappedBy(pace: Pace | undefined, schedule: Schedule | undefined): Capped | undefined {
  if (pace === undefined || paceCapacity(pace) > 0) return undefined;
  if (pace.week_received >= pace.week_allowance)
    return { by: 'weekly_cap_reached', until: berlinInstant(addDays(pace.of_week, 7), 0) };
  let next = addDays(pace.of_day, 1);
  while (pace.ends_on !== null && next <= pace.ends_on && isWithout(schedule, next, pace.ends_on))
    next = addDays(next, 1);
  return { by: 'daily_cap_reached', until: berlinInstant(next, 0) };
}

/** After a lead left the order: it no longer counts for its day and week. */
export function paceWithout(pace: Pace, sequence: number): Pace {
  return {
    ...pace,
    day_received: pace.day_received - (sequence > pace.day_from ? 1 : 0),
    week_received: pace.week_received - (sequence > pace.week_from ? 1 : 0),
  };
}

function allowance(caps: Caps, left: number, schedule: Schedule | undefined, day: string): number {
  return Math.min(caps.daily_cap ?? UNCAPPED, share(caps.ends_on, left, schedule, day));
}

/** The day's part of the rest, rounded up; `UNCAPPED` if no working day is left. */
function share(endsOn: string | null, left: number, schedule: Schedule | undefined, day: string): number {
  if (endsOn === null) return UNCAPPED;
  const days = workingDays(schedule, day, endsOn);
  if (days === 0) return UNCAPPED;
  return isWorkingDay(schedule, day) ? Math.ceil(left / days) : 0;
}

const isWithout = (schedule: Schedule | undefined, day: string, endsOn: string): boolean =>
  !isWorkingDay(schedule, day) && workingDays(schedule, day, endsOn) > 0;

function workingDays(schedule: Schedule | undefined, from: string, to: string): number {
  if (schedule === undefined) return workingDaysBetween(addDays(from, -1), to);
  let count = 0;
  for (let day = from; day <= to; day = addDays(day, 1)) if (isWorkingDay(schedule, day)) count += 1;
  return count;
}

/** Without a schedule Monday to Friday, without holidays. */
function isWorkingDay(schedule: Schedule | undefined, day: string): boolean {
  return schedule === undefined ? weekdayOf(day) <= 5 && !isHoliday(day) : opensOn(schedule, day);
}
