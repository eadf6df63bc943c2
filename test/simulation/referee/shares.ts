/** Who is eligible for a lead, who of them gets it, and what that leaves in the ledger of shares. */
import { isOpenAt } from '#test/simulation/referee/berlin';
import {
  type Change,
  hold,
  type Item,
  instant,
  isOrder,
  leftOf,
  number,
  text,
} from '#test/simulation/referee/facts';

/** Shares of a lead. */
const LEAD = 7_207_200_000;
/** A choice is made in whole shares, and rounded. */
const ROUNDED = 2;

interface Choice {
  readonly winner: number | null;
  readonly mode: string;
  readonly draw?: number;
  /** Buyer, weight, and by how much it was behind. */
  readonly eligible: readonly (readonly [number, number, number])[];
}

const choiceOf = (decision: Item): Choice => ({
  winner: decision.winner as number | null,
  mode: text(decision, 'mode'),
  draw: decision.draw as number,
  eligible: JSON.parse(text(decision, 'eligible')) as Choice['eligible'],
});

/** By how much each buyer is behind once the lead is credited. */
function behind({ eligible }: Choice): [number, number][] {
  const sum = eligible.reduce((all, [, weight]) => all + weight, 0);
  return eligible.map(([buyer, weight, deficit]) => [buyer, deficit + (LEAD * weight) / sum]);
}

/** What a decision changes in the ledger, by buyer: that of an admin what the rule had chosen before, if it had. */
export function changesOf(decision: Item): Map<number, number> {
  const earlier = typeof decision.turn === 'string' ? (JSON.parse(decision.turn) as Choice) : undefined;
  const choice = decision.mode === 'manual' ? earlier : choiceOf(decision);
  const changes = new Map<number, number>();
  if (choice === undefined || choice.winner === null) return changes;
  const before = new Map(choice.eligible.map(([buyer, , deficit]) => [buyer, deficit]));
  for (const [buyer, need] of behind(choice))
    changes.set(buyer, need - (before.get(buyer) ?? 0) - (buyer === choice.winner ? LEAD : 0));
  return changes;
}

/** Why a choice is not the one of the rule; undefined for one that is. */
function wrongChoice(choice: Choice): string | undefined {
  const needs = behind(choice);
  if (needs.length === 0) return choice.winner === null ? undefined : 'and nobody was eligible';
  const own = needs.find(([buyer]) => buyer === choice.winner)?.[1];
  if (own === undefined) return 'who was not eligible';
  if (choice.mode === 'weights')
    return needs.some(([, need]) => need > own + ROUNDED) ? 'and another one is further behind' : undefined;
  return own > -ROUNDED || needs.every(([, need]) => need < ROUNDED) ? undefined : 'who is ahead';
}

export class Shares {
  /** All that was ever true of a buyer in the pool: a choice may rest on what was read some time before. */
  readonly #entries = new Map<number, Item[]>();
  readonly #changedWeights = new Map<number, Set<number>>();
  readonly #fromTheBeginning = new Set<number>();
  readonly #everFull = new Set<unknown>();
  readonly #everPaced = new Set<unknown>();
  readonly #leads = new Map<string, Item>();
  #hasBegun = false;

  entriesOf(buyer: number): readonly Item[] {
    return this.#entries.get(buyer) ?? [];
  }

  follow(changes: readonly Change[]): void {
    for (const { pk, sk, after } of changes)
      if (pk === 'POOL' && sk.startsWith('ENTRY#')) this.#entry(sk, after);
      else if (sk === 'WEIGHTS') this.#weights(after);
      else if (sk === 'LEAD' && after !== undefined) {
        this.#leads.set(pk, after);
        this.#hasBegun = true;
      } else if (isOrder({ pk, sk })) {
        if (leftOf(after) === 0) this.#everFull.add(after?.order_id);
        if (after?.pace !== undefined) this.#everPaced.add(after.order_id);
      }
    for (const { pk, sk, after } of changes)
      if (sk === 'DECISION' && after !== undefined && after.mode !== 'manual') this.#decided(pk, after);
  }

  #entry(sk: string, entry: Item | undefined): void {
    const buyer = Number(sk.slice('ENTRY#'.length));
    if (entry !== undefined) this.#entries.set(buyer, [...this.entriesOf(buyer), entry]);
    if (entry === undefined || entry.retired_at !== undefined) this.#fromTheBeginning.delete(buyer);
    else if (!this.#hasBegun) this.#fromTheBeginning.add(buyer);
  }

  #weights(weights: Item | undefined): void {
    const unwritten = weights?.unwritten as { buyers: number[]; weights: number[] } | undefined;
    for (const [at, buyer] of unwritten?.buyers.entries() ?? [])
      this.#changedWeights.set(
        buyer,
        (this.#changedWeights.get(buyer) ?? new Set()).add(unwritten?.weights[at] ?? 0),
      );
  }

  #decided(pk: string, decision: Item): void {
    const lead = this.#leads.get(pk);
    const what = `the choice for lead ${text(decision, 'lead_id')}`;
    const choice = choiceOf(decision);
    const at = instant(decision, 'decided_at');
    const excluded = Object.entries(
      JSON.parse(text(decision, 'not_eligible')) as Record<string, readonly number[]>,
    );
    for (const [buyer, weight] of choice.eligible)
      hold(
        this.#was(buyer, (entry) => this.#isEligible(entry, weight, number(lead, 'anlagebetrag'), at)),
        () => `${what} counts buyer ${buyer} with the weight ${weight}, and it never was eligible like that`,
      );
    for (const [reason, buyers] of excluded)
      for (const buyer of buyers)
        hold(
          this.#was(buyer, (entry) =>
            this.#isExcluded(entry, reason, lead, choice.winner === null ? undefined : at),
          ),
          () => `${what} leaves out buyer ${buyer} as ${reason}, which it never was`,
        );
    // Where nobody got it, those may be left out that a choice withdrawn before was made of.
    const named = new Set([
      ...choice.eligible.map(([buyer]) => buyer),
      ...excluded.flatMap(([, those]) => those),
    ]);
    for (const buyer of this.#fromTheBeginning)
      hold(named.has(buyer), () => `${what} forgets buyer ${buyer}`);
    const wrong = wrongChoice(choice);
    hold(wrong === undefined, () => `${what} falls on buyer ${String(choice.winner)}, ${wrong}`);
  }

  #was(buyer: number, so: (entry: Item) => boolean): boolean {
    return this.entriesOf(buyer).some(so);
  }

  #isEligible(entry: Item, weight: number, amount: number, at: number): boolean {
    const isIts =
      entry.probability === weight || this.#changedWeights.get(number(entry, 'buyer'))?.has(weight);
    return weight > 0 && isIts === true && isReady(entry, amount) && isOpenAt(entry.schedule, at);
  }

  /** @param at undefined where the record does not say for which instant it was looked */
  #isExcluded(entry: Item, reason: string, lead: Item | undefined, at: number | undefined): boolean {
    const weights = [entry.probability, ...(this.#changedWeights.get(number(entry, 'buyer')) ?? [])];
    switch (reason) {
      case 'inactive':
        return entry.active !== true;
      case 'no_open_order':
        return entry.order_id === null;
      case 'limit_reached':
        return entry.has_capacity !== true || this.#everFull.has(entry.order_id);
      case 'probability_zero':
        return weights.includes(0);
      case 'below_min_investment':
        return number(entry, 'min_investment') > number(lead, 'anlagebetrag');
      case 'already_received':
        return lead?.earlier_leads !== undefined || lead?.later_leads !== undefined;
      case 'refused_by_buyer':
        return refusersOf(lead).has(entry.buyer);
      case 'outside_schedule':
        return entry.schedule !== undefined && (at === undefined || !isOpenAt(entry.schedule, at));
      case 'daily_cap_reached':
      case 'weekly_cap_reached':
        return this.#everPaced.has(entry.order_id);
      default:
        return false;
    }
  }
}

const refusersOf = (lead: Item | undefined): ReadonlySet<unknown> =>
  new Set(((lead?.refused_by ?? []) as Item[]).map(({ buyer }) => buyer));

/** Active, with an order that was not known to be full, for leads of this amount. */
const isReady = (entry: Item, amount: number) =>
  entry.active === true &&
  entry.retired_at === undefined &&
  entry.order_id !== null &&
  entry.has_capacity === true &&
  number(entry, 'min_investment') <= amount;

/** Reasons of leads that wait for an order alone. */
const WAITING: ReadonlySet<unknown> = new Set(
  'no_active_order limits_reached below_min_investment waits_for_opening already_received refused_by_buyers'.split(
    ' ',
  ),
);

/** Pending leads that somebody could take at each of these instants. */
export function waitingInVain(
  items: readonly Item[],
  isCapped: (entry: Item, order: Item, at: number) => boolean,
  instants: readonly number[],
): string[] {
  const leads = items.filter(({ sk }) => sk === 'LEAD');
  const orders = new Map(
    items.flatMap((item) => (isOrder(item as unknown as Change) ? [[item.order_id, item] as const] : [])),
  );
  const buyers = new Map(leads.map(({ lead_id, buyer }) => [lead_id, buyer]));
  const weights = items.find(({ pk, sk }) => pk === 'POOL' && sk === 'WEIGHTS')?.unwritten as
    | { buyers: number[]; weights: number[] }
    | undefined;
  const weightOf = (entry: Item) => {
    const at = weights?.buyers.indexOf(number(entry, 'buyer')) ?? -1;
    return at < 0 ? number(entry, 'probability') : (weights?.weights[at] ?? 0);
  };
  const pool = items.filter(({ pk, sk }) => pk === 'POOL' && String(sk).startsWith('ENTRY#'));
  return leads.flatMap((lead) => {
    if (lead.status !== 'pending' || !WAITING.has(lead.reason)) return [];
    const others = [
      ...((lead.earlier_leads ?? []) as string[]),
      ...((lead.later_leads ?? []) as Set<string>),
    ];
    const having = new Set([...others.map((id) => buyers.get(id)), ...refusersOf(lead)]);
    const taker = pool.find((entry) => {
      const order = orders.get(entry.order_id);
      return (
        order !== undefined &&
        leftOf(order) > 0 &&
        isReady({ ...entry, has_capacity: true }, number(lead, 'anlagebetrag')) &&
        weightOf(entry) > 0 &&
        !having.has(entry.buyer) &&
        instants.every((at) => isOpenAt(entry.schedule, at) && !isCapped(entry, order, at))
      );
    });
    return taker === undefined
      ? []
      : [
          `lead ${text(lead, 'lead_id')} waits as ${text(lead, 'reason')}, though buyer ${text(taker, 'buyer')} could take it`,
        ];
  });
}

/** Leads that are not where the record of their decision says. */
export function contradicted(items: readonly Item[]): string[] {
  const records = new Map(
    items.flatMap((item) => (item.sk === 'DECISION' ? [[item.pk, item] as const] : [])),
  );
  const found: string[] = [];
  for (const lead of items.filter(({ sk }) => sk === 'LEAD')) {
    const record = records.get(lead.pk);
    records.delete(lead.pk);
    const isSame = record?.distribution_attempt === lead.distribution_attempt;
    const wrong =
      lead.status === 'assigned' || lead.status === 'deleted'
        ? !isSame || record?.winner !== lead.buyer
        : lead.status === 'pending' &&
          isSame &&
          lead.intended_buyer !== undefined &&
          record?.winner !== lead.intended_buyer;
    if (wrong)
      found.push(
        `lead ${text(lead, 'lead_id')} is ${text(lead, 'status')} with buyer ${text(lead, 'buyer')}, and the decision is about buyer ${text(record, 'winner')}`,
      );
  }
  return [...found, ...[...records.keys()].map((pk) => `${String(pk)} has a decision and no lead`)];
}

/** By how many leads the ledger differs most from the sum of the decisions. */
export function ledgerOff(items: readonly Item[]): number {
  const off = new Map<string, number>();
  const add = (buyer: string, by: number) => off.set(buyer, (off.get(buyer) ?? 0) + by);
  const known = new Set(
    items.flatMap(({ pk, sk, buyer, retired_at }) =>
      pk === 'POOL' && String(sk).startsWith('ENTRY#') && retired_at === undefined ? [String(buyer)] : [],
    ),
  );
  for (const item of items)
    if (item.sk === 'DECISION') for (const [buyer, by] of changesOf(item)) add(String(buyer), by);
  const ledger = items.find(({ pk, sk }) => pk === 'POOL' && sk === 'LEDGER');
  for (const [buyer, deficit] of Object.entries((ledger?.deficits ?? {}) as Record<string, number>))
    add(buyer, -deficit);
  return Math.max(0, ...[...off].filter(([buyer]) => known.has(buyer)).map(([, by]) => Math.abs(by))) / LEAD;
}
