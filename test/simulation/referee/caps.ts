/** How many leads an order takes in a day and a week of Berlin. Counts the leads themselves, by the clock of the world. */
import { beginOf, dayAfter, dayAt, isWorkingDay, mondayOf } from '#test/simulation/referee/berlin';
import {
  type Change,
  hold,
  type Item,
  isOrder,
  leftOf,
  notesOf,
  number,
  text,
} from '#test/simulation/referee/facts';

/** The days, or weeks, between which a lead counts for one: clocks of processes differ. */
type Span = readonly [string, string];
const EARLIER: Span = ['', ''];

interface Taken {
  readonly lead: string;
  day: Span;
  week: Span;
  /** Deleted after its claim was approved: whether its place stays taken depends on who pays. */
  isUnsure?: boolean;
}

interface Base {
  readonly day: string;
  readonly ofDay: number;
  readonly week: string;
  readonly ofWeek: number;
}

const paceOf = (order: Item | undefined) => order?.pace as Item | undefined;
const weeks = ([from, to]: Span): Span => [mondayOf(from), mondayOf(to)];
const leadOf = (note: string) => note.slice(0, note.lastIndexOf('.'));

/** The day's part of what an order has left, where it has an end date. */
function partOf(endsOn: unknown, left: number, hours: unknown, day: string): number {
  if (typeof endsOn !== 'string') return Number.POSITIVE_INFINITY;
  let days = 0;
  for (let at = day; at <= endsOn; at = dayAfter(at)) if (isWorkingDay(hours, at)) days += 1;
  if (days === 0) return Number.POSITIVE_INFINITY;
  return isWorkingDay(hours, day) ? Math.ceil(left / days) : 0;
}
const capOf = (pace: Item, name: string) => (pace[name] as number | null) ?? Number.POSITIVE_INFINITY;
const UNLIMITED = 1_000_000_000;

export class Caps {
  readonly #taken = new Map<number, Map<number, Taken>>();
  /** What an order took over from the one that it follows. */
  readonly #bases = new Map<number, Base>();
  /** How much each order has had left, at any time. */
  readonly #left = new Map<number, Set<number>>();
  readonly #leads = new Map<string, Item>();
  /** When the present attempt to distribute a lead began. */
  readonly #begun = new Map<string, { readonly attempt: number; readonly at: number }>();
  /** Leads that somebody chose a buyer for. */
  readonly #chosen = new Set<string>();
  readonly #hoursOf: (buyer: number) => readonly unknown[];
  /** By how many milliseconds clocks may differ. */
  readonly #slack: number;

  constructor(hoursOf: (buyer: number) => readonly unknown[], slack: number) {
    this.#hoursOf = hoursOf;
    this.#slack = slack;
  }

  follow(changes: readonly Change[], now: number): void {
    for (const { sk, before, after } of changes) if (sk === 'LEAD') this.#lead(before, after, now);
    for (const change of changes) if (isOrder(change)) this.#order(change, changes, now);
  }

  #lead(before: Item | undefined, after: Item | undefined, now: number): void {
    const id = text(after ?? before, 'lead_id');
    if (after !== undefined) this.#leads.set(id, after);
    if (after?.chosen_buyer !== undefined) this.#chosen.add(id);
    const attempt = number(after, 'distribution_attempt');
    if (attempt !== number(before, 'distribution_attempt')) this.#begun.set(id, { attempt, at: now });
    if (after?.status === 'assigned' && before?.status !== 'assigned') {
      const one = this.#of(number(after, 'order_id')).get(number(after, 'sequence'));
      // Without caps nobody has said for which day it counts.
      if (one !== undefined && one.day[0] !== one.day[1]) this.#widen(one, now);
    }
    if (before?.status === 'assigned' && after?.status !== 'assigned') {
      const taken = this.#of(number(before, 'order_id'));
      const one = taken.get(number(before, 'sequence'));
      if (before.claim_status !== 'approved') taken.delete(number(before, 'sequence'));
      else if (one !== undefined) one.isUnsure = true;
    }
  }

  #of(order: number): Map<number, Taken> {
    const taken = this.#taken.get(order) ?? new Map<number, Taken>();
    this.#taken.set(order, taken);
    return taken;
  }

  #widen(one: Taken, now: number): void {
    one.day = [one.day[0], dayAt(now + this.#slack)];
    one.week = weeks(one.day);
  }

  #order({ before, after }: Change, changes: readonly Change[], now: number): void {
    if (after === undefined) return;
    const id = number(after, 'order_id');
    const [taken, pace] = [this.#of(id), paceOf(after)];
    const left = this.#left.get(id) ?? new Set<number>();
    this.#left.set(id, left.add(leftOf(after)).add(leftOf(after) + number(pace, 'day_taken')));
    if (before === undefined && pace !== undefined) this.#based(id, pace, changes);
    const [earlier, noted] = [notesOf(before), notesOf(after)];
    for (const [sequence, note] of earlier) {
      const lead = this.#leads.get(leadOf(note));
      const isIts = number(lead, 'order_id') === id && number(lead, 'sequence') === sequence;
      // An attempt came to nothing.
      if (!noted.has(sequence) && !isIts) taken.delete(sequence);
    }
    if (pace !== undefined && before !== undefined && paceOf(before) === undefined) this.#firstCaps(id, pace);
    const added = [...noted].filter(([sequence]) => !earlier.has(sequence));
    for (const [sequence, note] of added) taken.set(sequence, this.#taking(note, pace, before, now));
    if (pace === undefined || JSON.stringify(pace) === JSON.stringify(paceOf(before))) return;
    this.#counted(id, pace);
    this.#allowed(id, pace, paceOf(before), number(after, 'buyer'));
    const isByRule = added.some(
      ([, note]) => this.#leads.has(leadOf(note)) && !this.#chosen.has(leadOf(note)),
    );
    if (isByRule) this.#within(id, pace);
  }

  /** The day that a lead counts for is the one on which it is taken; the day of an order never goes back. */
  #taking(note: string, pace: Item | undefined, before: Item | undefined, now: number): Taken {
    const [lead, attempt] = [leadOf(note), Number(note.slice(note.lastIndexOf('.') + 1))];
    const begun = this.#begun.get(lead);
    const since = begun?.attempt === attempt ? begun.at : now;
    const [from, to] = [dayAt(since - this.#slack), dayAt(now + this.#slack)];
    if (pace === undefined) {
      const day: Span = [from, to];
      return { lead, day, week: weeks(day) };
    }
    const day = text(pace, 'of_day');
    hold(
      begun === undefined || (from <= day && (day <= to || day === paceOf(before)?.of_day)),
      () => `lead ${lead} is counted for ${day}, and was taken on ${from}`,
    );
    hold(pace.of_week === mondayOf(day), () => `${text(pace, 'of_week')} is not the Monday of ${day}`);
    return { lead, day: [day, day], week: [mondayOf(day), mondayOf(day)] };
  }

  /** What an order took counts for the one that follows it. */
  #based(id: number, pace: Item, changes: readonly Change[]): void {
    const followed = changes.find((change) => isOrder(change) && change.after?.renewed_as === id)?.after;
    const base: Base = {
      day: text(pace, 'of_day'),
      ofDay: number(pace, 'day_taken'),
      week: text(pace, 'of_week'),
      ofWeek: number(pace, 'week_taken'),
    };
    const most =
      followed === undefined ? 0 : this.#count(number(followed, 'order_id'), base.day, base.week).day[1];
    hold(base.ofDay <= most, () => `order ${id} begins with ${base.ofDay} leads of the day`);
    this.#bases.set(id, base);
  }

  /** Caps are set in the middle of a day: the leads of it are told by their numbers. */
  #firstCaps(id: number, pace: Item): void {
    for (const [sequence, one] of this.#of(id)) {
      const its = (span: Span, name: string, after: string): Span => {
        const now = text(pace, name);
        const isIn = sequence > number(pace, after);
        const isSure = one.isUnsure !== true && span[0] === span[1];
        hold(
          !isSure || isIn === (span[0] === now),
          () =>
            `order ${id} gets caps, and lead ${one.lead} of ${span[0]} counts ${isIn ? '' : 'not '}for ${now}`,
        );
        return isIn ? [now, now] : EARLIER;
      };
      one.day = its(one.day, 'of_day', 'day_from');
      one.week = its(one.week, 'of_week', 'week_from');
    }
  }

  /** How many leads an order has taken on a day and in its week: for certain, and at most. */
  #count(id: number, day: string, week: string): { readonly day: Bounds; readonly week: Bounds } {
    const base = this.#bases.get(id);
    const [ofDay, ofWeek] = [base?.day === day ? base.ofDay : 0, base?.week === week ? base.ofWeek : 0];
    const count = (name: 'day' | 'week', of: string, more: number): Bounds => {
      const those = [...this.#of(id).values()].filter((one) => one[name][0] <= of && of <= one[name][1]);
      const sure = those.filter((one) => one.isUnsure !== true && one[name][0] === one[name][1]);
      return [sure.length + more, those.length + more];
    };
    return { day: count('day', day, ofDay), week: count('week', week, ofWeek) };
  }

  #counted(id: number, pace: Item): void {
    const count = this.#count(id, text(pace, 'of_day'), text(pace, 'of_week'));
    for (const name of ['day', 'week'] as const) {
      const [least, most] = count[name];
      const said = number(pace, `${name}_taken`);
      hold(
        least <= said && said <= most,
        () => `order ${id} counts ${said} leads of its ${name} ${text(pace, `of_${name}`)}, and has ${least}`,
      );
    }
  }

  /** The day's allowance follows from the cap and from what is left when the day begins. */
  #allowed(id: number, pace: Item, before: Item | undefined, buyer: number): void {
    const names = ['of_day', 'daily_cap', 'ends_on', 'day_allowance'];
    if (names.every((name) => before?.[name] === pace[name])) return;
    const hours = this.#hoursOf(buyer);
    const said = number(pace, 'day_allowance');
    const isSo = [...(this.#left.get(id) ?? [])].some((left) =>
      hours.some((schedule) => {
        const part = partOf(pace.ends_on, left, schedule, text(pace, 'of_day'));
        return said === Math.min(capOf(pace, 'daily_cap'), part, UNLIMITED);
      }),
    );
    hold(isSo, () => `order ${id} allows itself ${said} leads on ${text(pace, 'of_day')}`);
  }

  #within(id: number, pace: Item): void {
    const { day, week } = this.#count(id, text(pace, 'of_day'), text(pace, 'of_week'));
    const most = Math.min(capOf(pace, 'daily_cap'), number(pace, 'day_allowance'));
    hold(
      day[0] <= most,
      () => `order ${id} takes ${day[0]} leads on ${text(pace, 'of_day')}, and may take ${most}`,
    );
    const ofWeek = capOf(pace, 'weekly_cap');
    hold(
      week[0] <= ofWeek,
      () =>
        `order ${id} takes ${week[0]} leads in the week of ${text(pace, 'of_week')}, and may take ${ofWeek}`,
    );
  }

  /** Which cap an order has reached at an instant; of two the one that lasts longer. */
  reachedAt(order: Item, hours: unknown, at: number): 'daily_cap_reached' | 'weekly_cap_reached' | undefined {
    const pace = paceOf(order);
    if (pace === undefined) return undefined;
    // A process with a fast clock may have begun the next day.
    const day = [dayAt(at), text(pace, 'of_day')].sort().at(-1) ?? '';
    const count = this.#count(number(order, 'order_id'), day, mondayOf(day));
    const allowance =
      day === pace.of_day
        ? number(pace, 'day_allowance')
        : Math.min(capOf(pace, 'daily_cap'), partOf(pace.ends_on, leftOf(order), hours, day));
    if (count.week[0] >= capOf(pace, 'weekly_cap')) return 'weekly_cap_reached';
    return count.day[0] >= allowance ? 'daily_cap_reached' : undefined;
  }

  /** Pool entries that say otherwise than their orders whether these take leads. */
  misnoted(items: readonly Item[], at: number): string[] {
    const orders = new Map(
      items.flatMap((item) => (isOrder(item as never) ? [[item.order_id, item] as const] : [])),
    );
    return items.flatMap((entry) => {
      const order = orders.get(entry.order_id);
      if (entry.pk !== 'POOL' || order === undefined || entry.retired_at !== undefined) return [];
      const id = number(order, 'order_id');
      if (entry.has_capacity !== leftOf(order) > 0)
        return [
          `the pool says ${String(entry.has_capacity)} of the capacity of order ${id}, which has ${leftOf(order)}`,
        ];
      if (leftOf(order) === 0) return [];
      const until = typeof entry.capped_until === 'string' ? Date.parse(entry.capped_until) : 0;
      const said = until > at ? entry.capped_by : undefined;
      const is = this.reachedAt(order, entry.schedule, at);
      if (said !== is) return [`the pool says ${String(said)} of order ${id}, and it is ${String(is)}`];
      const day = [dayAt(at), text(paceOf(order), 'of_day')].sort().at(-1) ?? '';
      const ends = is === 'weekly_cap_reached' ? dayAfter(mondayOf(day), 7) : dayAfter(day);
      const isExact = is === 'weekly_cap_reached' || paceOf(order)?.ends_on === null;
      return is === undefined || (isExact ? until === beginOf(ends) : until >= beginOf(ends))
        ? []
        : [`the pool says that order ${id} takes leads again at ${text(entry, 'capped_until')}`];
    });
  }
}

type Bounds = readonly [least: number, most: number];
