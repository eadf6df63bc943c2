/** How many leads an order receives per Berlin day and week, counted from the leads themselves by the world's clock. */
import { beginOf, dayAfter, dayAt, isWorkingDay, mondayOf } from '#test/simulation/referee/berlin';
import {
  type Change,
  hold,
  type Item,
  instant,
  isOrder,
  leftOf,
  number,
  type Stored,
  text,
  valueOf,
} from '#test/simulation/referee/facts';

const PERIODS = ['day', 'week'] as const;
type Period = (typeof PERIODS)[number];
/** The possible days or weeks of a lead, as the clocks of processes differ. */
type Span = readonly [from: string, to: string];

interface Taken {
  readonly lead: string;
  day: Span;
  week: Span;
  /** Deleted after its claim was approved; whether it still counts depends on the buyer type. */
  isUnsure?: boolean;
}

const UNLIMITED = 1_000_000_000;
const paceOf = (order: Item | undefined) => order?.pace as Item | undefined;
const capOf = (pace: Item, name: string) => (pace[name] as number | null) ?? Number.POSITIVE_INFINITY;
const weeks = ([from, to]: Span): Span => [mondayOf(from), mondayOf(to)];

/** The reservations of an order: lead ID and attempt by lead number. */
function notesOf(order: Item | undefined): Map<number, string> {
  const { reservations, replacement_reservations } = (order ?? {}) as Record<string, Record<string, number>>;
  const notes = Object.entries({ ...reservations, ...replacement_reservations });
  return new Map(notes.map(([note, sequence]) => [sequence, note]));
}
const leadOf = (note: string) => note.slice(0, note.lastIndexOf('.'));

/** The day's cap; with an end date at most the day's part of what the order has left. */
function allowanceOf(pace: Item, left: number, hours: unknown, day: string): number {
  const cap = capOf(pace, 'daily_cap');
  let days = 0;
  for (let at = day; at <= text(pace, 'ends_on'); at = dayAfter(at)) if (isWorkingDay(hours, at)) days += 1;
  if (days === 0) return cap;
  return isWorkingDay(hours, day) ? Math.min(cap, Math.ceil(left / days)) : 0;
}

/**
 * @param hoursOf all hours that a buyer has had
 * @param slackMs how much clocks may differ, in milliseconds
 */
export function createCaps(hoursOf: (buyer: number) => readonly unknown[], slackMs: number) {
  const taken = new Map<number, Map<number, Taken>>();
  /** Counts that an order took over from its predecessor. */
  const bases = new Map<number, Item>();
  /** All remaining capacities that each order ever had. */
  const left = new Map<number, Set<number>>();
  const leads = new Map<string, Item>();
  /** When a lead's current distribution attempt began. */
  const begun = new Map<string, { readonly attempt: number; readonly at: number }>();
  /** Manually assigned leads. */
  const chosen = new Set<string>();

  const takenOf = (order: number) => valueOf(taken, order, () => new Map<number, Taken>());

  function ofLead({ before, after }: Change, now: number): void {
    const id = text(after ?? before, 'lead_id');
    if (after !== undefined) leads.set(id, after);
    if (after?.chosen_buyer !== undefined) chosen.add(id);
    const attempt = number(after, 'distribution_attempt');
    if (attempt !== number(before, 'distribution_attempt')) begun.set(id, { attempt, at: now });
    const [was, is] = [before?.status === 'assigned', after?.status === 'assigned'];
    if (was === is) return;
    const place = was ? before : after;
    const its = takenOf(number(place, 'order_id'));
    const one = its.get(number(place, 'sequence'));
    if (one === undefined) return;
    if (was && before?.claim_status === 'approved') one.isUnsure = true;
    else if (was) its.delete(number(place, 'sequence'));
    // Without caps nothing records the day it counts for.
    else if (one.day[0] !== one.day[1]) {
      one.day = [one.day[0], dayAt(now + slackMs)];
      one.week = weeks(one.day);
    }
  }

  function ofOrder({ before, after }: Change, changes: readonly Change[], now: number): void {
    if (after === undefined) return;
    const id = number(after, 'order_id');
    const [its, pace, former] = [takenOf(id), paceOf(after), paceOf(before)];
    const [earlier, noted] = [notesOf(before), notesOf(after)];
    for (const more of [0, number(pace, 'day_received')])
      valueOf(left, id, () => new Set()).add(leftOf(after) + more);
    if (before === undefined && pace !== undefined) begins(id, pace, changes);
    for (const [sequence, note] of earlier) {
      const lead = leads.get(leadOf(note));
      const isIts = number(lead, 'order_id') === id && number(lead, 'sequence') === sequence;
      // An attempt failed.
      if (!noted.has(sequence) && !isIts) its.delete(sequence);
    }
    const added = [...noted].filter(([sequence]) => !earlier.has(sequence));
    for (const [sequence, note] of added) its.set(sequence, taking(note, pace, former, now));
    if (pace === undefined || JSON.stringify(pace) === JSON.stringify(former)) return;
    const day = text(pace, 'of_day');
    const allowance = number(pace, 'day_allowance');
    // It follows from the cap and the remaining leads at the start of the day.
    const isSet = ['of_day', 'daily_cap', 'ends_on', 'day_allowance'].some(
      (name) => former?.[name] !== pace[name],
    );
    const isAllowed = (rest: number) =>
      hoursOf(number(after, 'buyer')).some(
        (hours) => allowance === Math.min(UNLIMITED, allowanceOf(pace, rest, hours, day)),
      );
    hold(
      !isSet || [...(left.get(id) ?? [])].some(isAllowed),
      () => `order ${id} allows itself ${allowance} leads on ${day}`,
    );
    const [miscount] = miscounted(after);
    hold(miscount === undefined, () => miscount ?? '');
    const isByRule = added.some(([, note]) => leads.has(leadOf(note)) && !chosen.has(leadOf(note)));
    const isWithin =
      number(pace, 'day_received') <= Math.min(capOf(pace, 'daily_cap'), allowance) &&
      number(pace, 'week_received') <= capOf(pace, 'weekly_cap');
    hold(!isByRule || isWithin, () => `order ${id} exceeds its cap: ${JSON.stringify(pace)}`);
  }

  /** A lead counts for the day of its reservation; an order's day never goes back. */
  function taking(note: string, pace: Item | undefined, former: Item | undefined, now: number): Taken {
    const lead = leadOf(note);
    const own = begun.get(lead);
    const since = own !== undefined && note === `${lead}.${own.attempt}` ? own.at : now;
    const [from, to] = [dayAt(since - slackMs), dayAt(now + slackMs)];
    if (pace === undefined) return { lead, day: [from, to], week: weeks([from, to]) };
    const day = text(pace, 'of_day');
    const isDay = from <= day && (day <= to || day === former?.of_day);
    hold(own === undefined || isDay, () => `lead ${lead} is counted for ${day}, and was assigned on ${from}`);
    hold(pace.of_week === mondayOf(day), () => `${text(pace, 'of_week')} is not the Monday of ${day}`);
    return { lead, day: [day, day], week: weeks([day, day]) };
  }

  /** Leads of an order also count for its successor. */
  function begins(id: number, pace: Item, changes: readonly Change[]): void {
    const followed = changes.find((change) => isOrder(change) && change.after?.renewed_as === id)?.after;
    const inherited = number(pace, 'day_received');
    const { most } = count(number(followed, 'order_id'), 'day', text(pace, 'of_day'));
    hold(inherited <= most, () => `order ${id} begins with ${inherited} leads of the day`);
    bases.set(id, pace);
  }

  /** The leads of an order per day or week: minimum and maximum. */
  function count(id: number, period: Period, of: string): { readonly least: number; readonly most: number } {
    const base = bases.get(id);
    const inherited = base?.[`of_${period}`] === of ? number(base, `${period}_received`) : 0;
    let [least, most] = [inherited, inherited];
    for (const {
      [period]: [from, to],
      isUnsure,
    } of takenOf(id).values())
      if (from <= of && of <= to) {
        most += 1;
        if (from === to && isUnsure !== true) least += 1;
      }
    return { least, most };
  }

  /** Counts that differ from an order's leads, as sentences. */
  function miscounted(order: Item): string[] {
    const [id, pace] = [number(order, 'order_id'), paceOf(order)];
    return PERIODS.flatMap((period) => {
      const [of, said] = [text(pace, `of_${period}`), number(pace, `${period}_received`)];
      const { least, most } = count(id, period, of);
      const isSo = pace === undefined || (least <= said && said <= most);
      return isSo ? [] : [`order ${id} counts ${said} leads in the ${period} ${of}, and has ${least}`];
    });
  }

  return {
    follow(changes: readonly Change[], now: number): void {
      for (const change of changes) if (change.sk === 'LEAD') ofLead(change, now);
      for (const change of changes) if (isOrder(change)) ofOrder(change, changes, now);
    },
    miscounted: ({ orders }: Stored) => [...orders.values()].flatMap(miscounted),
  };
}

/** An order's day: a process with a fast clock may have begun the next one. */
const dayOf = (order: Item, at: number) => [dayAt(at), text(paceOf(order), 'of_day')].sort().at(-1) ?? '';

/** The cap that an order has reached at a given time; of two, the one that lasts longer. */
export function reachedAt(order: Item, hours: unknown, at: number) {
  const [pace, day] = [paceOf(order), dayOf(order, at)];
  if (pace === undefined) return undefined;
  const ofWeek = pace.of_week === mondayOf(day) ? number(pace, 'week_received') : 0;
  if (ofWeek >= capOf(pace, 'weekly_cap')) return 'weekly_cap_reached';
  const [ofDay, allowance] =
    pace.of_day === day
      ? [number(pace, 'day_received'), number(pace, 'day_allowance')]
      : [0, allowanceOf(pace, leftOf(order), hours, day)];
  return ofDay >= allowance ? 'daily_cap_reached' : undefined;
}

/** Pool entries that disagree with their orders about whether these accept leads. */
export function misnoted({ orders, pool }: Stored, at: number): string[] {
  return pool.flatMap((entry) => {
    const order = orders.get(entry.order_id);
    if (order === undefined || entry.retired_at !== undefined) return [];
    const [what, rest] = [`the pool says of order ${number(order, 'order_id')}`, leftOf(order)];
    if (entry.has_capacity !== rest > 0)
      return [`${what} that its capacity is ${String(entry.has_capacity)}, and ${rest} leads are left`];
    if (rest === 0) return [];
    const until = instant(entry, 'capped_until') || 0;
    const [said, is] = [until > at ? entry.capped_by : undefined, reachedAt(order, entry.schedule, at)];
    if (said !== is) return [`${what} ${String(said)}, and it is ${String(is)}`];
    const [day, isOfWeek] = [dayOf(order, at), is === 'weekly_cap_reached'];
    const ends = beginOf(isOfWeek ? dayAfter(mondayOf(day), 7) : dayAfter(day));
    const isExact = isOfWeek || paceOf(order)?.ends_on === null;
    const isSo = is === undefined || until === ends || (!isExact && until > ends);
    return isSo ? [] : [`${what} that it takes leads again at ${text(entry, 'capped_until')}`];
  });
}
