/** Counts what orders take in a day and a week by their leads, so that it does not believe the counts of the product. */
import type { Item } from '#functions/data/table/table';
import { Violation } from '#test/simulation/kernel';
import type { Change } from '#test/simulation/table-model';

const isOrder = ({ pk, sk }: Change) => pk.startsWith('ORDERS#') && !sk.includes('#');

interface StoredPace {
  readonly daily_cap: number | null;
  readonly weekly_cap: number | null;
  readonly of_day: string;
  readonly day_from: number;
  readonly day_allowance: number;
  readonly of_week: string;
  readonly week_from: number;
}

interface Taken {
  readonly lead: string;
  day: string;
  week: string;
}

/** The notes of an order: the attempt by its number. */
function notesOf(order: Item | undefined): Map<number, string> {
  const notes = new Map<number, string>();
  for (const attribute of ['reservations', 'replacement_reservations'])
    for (const [key, sequence] of Object.entries((order?.[attribute] ?? {}) as Record<string, number>))
      notes.set(sequence, key);
  return notes;
}

const paceOf = (order: Item | undefined) => order?.pace as StoredPace | undefined;

export class PaceWatch {
  /** What each order has, by number. */
  readonly #taken = new Map<number, Map<number, Taken>>();
  readonly #leads = new Map<string, Item>();
  /** Leads that somebody chose a buyer for, of which an overtaken attempt may reserve though another one has assigned them. */
  readonly #chosen = new Set<string>();

  follow(changes: readonly Change[]): void {
    for (const { sk, before, after } of changes) if (sk === 'LEAD') this.#lead(before, after);
    for (const change of changes) if (isOrder(change)) this.#order(change);
  }

  /** A lead that is deleted, or given on, has left its order, unless it was compensated. */
  #lead(before: Item | undefined, after: Item | undefined): void {
    if (after !== undefined) this.#leads.set(String(after.lead_id), after);
    if (after?.chosen_buyer !== undefined) this.#chosen.add(String(after.lead_id));
    if (before?.status === 'assigned' && after?.status !== 'assigned' && before.claim_status !== 'approved')
      this.#taken.get(Number(before.order_id))?.delete(Number(before.sequence));
  }

  #order({ before, after }: Change): void {
    if (after === undefined) return;
    const id = Number(after.order_id);
    const taken = this.#taken.get(id) ?? new Map<number, Taken>();
    this.#taken.set(id, taken);
    const pace = paceOf(after);
    const [earlier, now] = [notesOf(before), notesOf(after)];
    for (const [sequence, key] of earlier) {
      const lead = this.#leads.get(key.slice(0, key.lastIndexOf('.')));
      const isAssigned = Number(lead?.order_id) === id && Number(lead?.sequence) === sequence;
      if (!now.has(sequence) && !isAssigned) taken.delete(sequence);
    }
    // Which of the leads so far are of the day, the product counts when the first caps are set.
    if (pace !== undefined && paceOf(before) === undefined)
      for (const [sequence, one] of taken) {
        one.day = sequence > pace.day_from ? pace.of_day : '';
        one.week = sequence > pace.week_from ? pace.of_week : '';
      }
    const added = [...now].filter(([sequence]) => !earlier.has(sequence));
    for (const [sequence, key] of added)
      taken.set(sequence, {
        lead: key.slice(0, key.lastIndexOf('.')),
        day: pace?.of_day ?? '',
        week: pace?.of_week ?? '',
      });
    const isByRule = added.some(([sequence]) => {
      const lead = taken.get(sequence)?.lead ?? '';
      return this.#leads.has(lead) && !this.#chosen.has(lead);
    });
    if (pace !== undefined && isByRule) this.#check(id, pace, [...taken.values()]);
  }

  #check(order: number, pace: StoredPace, taken: readonly Taken[]): void {
    const today = taken.filter(({ day }) => day === pace.of_day).length;
    const thisWeek = taken.filter(({ week }) => week === pace.of_week).length;
    if (today > Math.min(pace.daily_cap ?? today, pace.day_allowance))
      throw new Violation(
        `order ${order} takes ${today} leads on ${pace.of_day}, and may take ${pace.daily_cap}`,
      );
    if (thisWeek > (pace.weekly_cap ?? thisWeek))
      throw new Violation(
        `order ${order} takes ${thisWeek} leads in the week of ${pace.of_week}, and may take ${pace.weekly_cap}`,
      );
  }
}
