/** Which buyers are eligible for a lead, which one gets it, and the resulting ledger. */
import { isOpenAt } from '#test/simulation/referee/berlin';
import {
  add,
  type Change,
  hold,
  type Item,
  instant,
  isOrder,
  isPoolEntry,
  leftOf,
  number,
  type Stored,
  text,
  valueOf,
} from '#test/simulation/referee/facts';
import { hashesOf, knownBy } from '#test/simulation/referee/hashes';

/** The shares of one lead. */
const LEAD = 7_207_200_000;
/** Choices are made in whole shares, so they are rounded. */
const ROUNDED = 2;

interface Choice {
  readonly winner: number | null;
  readonly mode: string;
  /** Buyer, weight and deficit. */
  readonly eligible: readonly (readonly [buyer: number, weight: number, deficit: number])[];
}

const choiceOf = ({ winner, mode, eligible }: Item): Choice => ({
  winner: winner as number | null,
  mode: String(mode),
  eligible: JSON.parse(String(eligible)) as Choice['eligible'],
});

/** Each buyer's deficit once the lead is credited. */
function behind({ eligible }: Choice): [buyer: number, need: number][] {
  const sum = eligible.reduce((all, [, weight]) => all + weight, 0);
  return eligible.map(([buyer, weight, deficit]) => [buyer, deficit + (LEAD * weight) / sum]);
}

/** The ledger changes of a decision, by buyer. A decision by an admin keeps the rule's earlier choice, if any. */
export function changesOf(decision: Item): Map<number, number> {
  const earlier = typeof decision.turn === 'string' ? (JSON.parse(decision.turn) as Choice) : undefined;
  const choice = decision.mode === 'manual' ? earlier : choiceOf(decision);
  if (choice === undefined || choice.winner === null) return new Map();
  const deficits = new Map(choice.eligible.map(([buyer, , deficit]) => [buyer, deficit]));
  return new Map(
    behind(choice).map(([buyer, need]) => [
      buyer,
      need - (deficits.get(buyer) ?? 0) - (buyer === choice.winner ? LEAD : 0),
    ]),
  );
}

/** The reason why a choice breaks the rule, if it does. */
function wrongChoice(choice: Choice): string | undefined {
  const needs = behind(choice);
  if (needs.length === 0) return choice.winner === null ? undefined : 'and nobody was eligible';
  const own = needs.find(([buyer]) => buyer === choice.winner)?.[1];
  if (own === undefined) return 'who was not eligible';
  if (choice.mode === 'weights')
    return needs.some(([, need]) => need > own + ROUNDED) ? 'and another one is further behind' : undefined;
  return own > -ROUNDED || needs.every(([, need]) => need < ROUNDED) ? undefined : 'who is ahead';
}

/** Changed weights that are not in the pool entries yet, by buyer. */
function unwrittenIn(weights: Item | undefined): ReadonlyMap<number, number> {
  const { buyers, weights: those } = (weights?.unwritten ?? { buyers: [] }) as Record<string, number[]>;
  return new Map(buyers?.map((buyer, at) => [buyer, those?.[at] ?? 0]));
}

const refusersOf = (lead: Item | undefined): ReadonlySet<unknown> =>
  new Set(((lead?.refused_by ?? []) as Item[]).map(({ buyer }) => buyer));

const consentsToCalls = (lead: Item | undefined) =>
  ((lead?.consent ?? []) as readonly string[]).includes('phone');

const limitOf = (entry: Item, name: string) =>
  entry[name] === undefined ? Number.POSITIVE_INFINITY : number(entry, name);
const isTooLarge = (entry: Item, lead: Item | undefined) =>
  number(lead, 'anlagebetrag') > limitOf(entry, 'max_investment');
const isOutsideTerm = (entry: Item, lead: Item | undefined) =>
  (entry.min_term !== undefined && number(lead, 'laufzeit') < number(entry, 'min_term')) ||
  number(lead, 'laufzeit') > limitOf(entry, 'max_term');

const isFromUnwanted = (entry: Item, lead: Item | undefined) => {
  const { sources_allowed: only, sources_excluded: but } = entry as Record<string, readonly unknown[]>;
  return (only !== undefined && !only.includes(lead?.source)) || but?.includes(lead?.source) === true;
};

/** Active, with an order, wanting such an amount, term and source, and with the consent that it requires. */
const isReady = (entry: Item, lead: Item | undefined) =>
  entry.active === true &&
  entry.retired_at === undefined &&
  entry.order_id !== null &&
  number(entry, 'min_investment') <= number(lead, 'anlagebetrag') &&
  !isTooLarge(entry, lead) &&
  !isOutsideTerm(entry, lead) &&
  !isFromUnwanted(entry, lead) &&
  (entry.requires_consent !== true || consentsToCalls(lead));

export function createShares() {
  /** All states that a buyer's pool entry has had, because a choice may be based on an earlier read. */
  const entries = new Map<number, Item[]>();
  const changedWeights = new Map<number, Set<unknown>>();
  const fromTheBeginning = new Set<number>();
  const everFull = new Set<unknown>();
  const everPaced = new Set<unknown>();
  const leads = new Map<string, Item>();
  const recorded = new Set<string>();
  /** Resumed after their process died before it wrote their consent's record: they count as without consent. */
  const unrecorded = new Set<string>();

  const entriesOf = (buyer: number) => valueOf(entries, buyer, (): Item[] => []);

  function ofEntry(sk: string, entry: Item | undefined): void {
    const buyer = Number(sk.slice('ENTRY#'.length));
    if (entry !== undefined) entriesOf(buyer).push(entry);
    if (entry === undefined || entry.retired_at !== undefined) fromTheBeginning.delete(buyer);
    else if (leads.size === 0) fromTheBeginning.add(buyer);
  }

  function ofDecision(pk: string, decision: Item): void {
    const [lead, choice, at] = [leads.get(pk), choiceOf(decision), instant(decision, 'decided_at')];
    const amount = number(lead, 'anlagebetrag');
    const what = `the choice for lead ${text(decision, 'lead_id')}`;
    const hadWeight = ({ buyer, probability }: Item, weight: number) =>
      probability === weight || changedWeights.get(Number(buyer))?.has(weight) === true;
    for (const [buyer, weight] of choice.eligible) {
      const wasEligible = (entry: Item) =>
        weight > 0 &&
        hadWeight(entry, weight) &&
        isReady(entry, lead) &&
        entry.has_capacity === true &&
        isOpenAt(entry.schedule, at);
      hold(
        entriesOf(buyer).some(wasEligible),
        () => `${what} counts buyer ${buyer} with the weight ${weight}, which it never was eligible with`,
      );
    }
    const wasSo: Readonly<Record<string, (entry: Item) => boolean>> = {
      inactive: (entry) => entry.active !== true,
      no_open_order: (entry) => entry.order_id === null,
      limit_reached: (entry) => entry.has_capacity !== true || everFull.has(entry.order_id),
      probability_zero: (entry) => hadWeight(entry, 0),
      below_min_investment: (entry) => number(entry, 'min_investment') > amount,
      above_max_investment: (entry) => isTooLarge(entry, lead),
      outside_term: (entry) => isOutsideTerm(entry, lead),
      source_excluded: (entry) => isFromUnwanted(entry, lead),
      consent_required: (entry) =>
        entry.requires_consent === true && (!consentsToCalls(lead) || unrecorded.has(pk)),
      already_received: () => lead?.earlier_leads !== undefined || lead?.later_leads !== undefined,
      already_known: ({ buyer }) =>
        ((lead?.known_to ?? []) as readonly unknown[]).some((known) => known === buyer || known === 0),
      refused_by_buyer: (entry) => refusersOf(lead).has(entry.buyer),
      // If no buyer got the lead, the record does not contain the checked time.
      outside_schedule: ({ schedule }) =>
        schedule !== undefined && (choice.winner === null || !isOpenAt(schedule, at)),
      daily_cap_reached: (entry) => everPaced.has(entry.order_id),
      weekly_cap_reached: (entry) => everPaced.has(entry.order_id),
    };
    // If no buyer got the lead, the candidates of an earlier, withdrawn choice may be missing.
    const named = new Set(choice.eligible.map(([buyer]) => buyer));
    const excluded = JSON.parse(text(decision, 'not_eligible')) as Record<string, number[]>;
    for (const [reason, buyers] of Object.entries(excluded))
      for (const buyer of buyers) {
        named.add(buyer);
        hold(
          entriesOf(buyer).some(wasSo[reason] ?? (() => false)),
          () => `${what} leaves out buyer ${buyer} as ${reason}, which it never was`,
        );
      }
    for (const buyer of fromTheBeginning) hold(named.has(buyer), () => `${what} omits buyer ${buyer}`);
    const wrong = wrongChoice(choice);
    hold(wrong === undefined, () => `${what} falls on buyer ${String(choice.winner)}, ${wrong}`);
  }

  return {
    entriesOf,

    follow(changes: readonly Change[]): void {
      for (const change of changes) {
        const { pk, sk, after } = change;
        if (isPoolEntry(change)) ofEntry(sk, after);
        else if (sk === 'WEIGHTS')
          for (const [buyer, weight] of unwrittenIn(after))
            valueOf(changedWeights, buyer, () => new Set()).add(weight);
        else if (sk === 'CONSENT') recorded.add(pk);
        else if (sk === 'LEAD' && after !== undefined) {
          if (number(after, 'distribution_attempt') > 1 && !recorded.has(pk)) unrecorded.add(pk);
          leads.set(pk, after);
        } else if (isOrder(change)) {
          if (leftOf(after) === 0) everFull.add(after?.order_id);
          if (after?.pace !== undefined) everPaced.add(after.order_id);
        }
      }
      for (const { pk, sk, after } of changes)
        if (sk === 'DECISION' && after !== undefined && after.mode !== 'manual') ofDecision(pk, after);
    },
  };
}

/** Reasons of leads that only wait for an order. */
const WAITING: ReadonlySet<unknown> = new Set(
  'no_active_order limits_reached below_min_investment above_max_investment outside_term source_excluded waits_for_opening already_received already_known refused_by_buyers'.split(
    ' ',
  ),
);

/** Pending leads that some buyer could receive at each of these times. */
export function waitingInVain(
  { items, leads, orders, pool }: Stored,
  isCapped: (entry: Item, order: Item, at: number) => boolean,
  instants: readonly number[],
  personKey: Uint8Array,
): string[] {
  const unwritten = unwrittenIn(items.find(({ pk, sk }) => pk === 'POOL' && sk === 'WEIGHTS'));
  const marks = new Map(items.flatMap((item) => (item.known === undefined ? [] : [[item.pk, item]])));
  return [...leads.values()].flatMap((lead) => {
    if (lead.status !== 'pending' || !WAITING.has(lead.reason)) return [];
    const those = [...((lead.earlier_leads ?? []) as string[]), ...((lead.later_leads ?? []) as Set<string>)];
    const knowing = hashesOf(lead, personKey).flatMap((hash) => knownBy(marks.get(`DONOTCONTACT#${hash}`)));
    if (knowing.includes(0)) return [];
    const having = new Set([...those.map((id) => leads.get(id)?.buyer), ...refusersOf(lead), ...knowing]);
    const taker = pool.find((entry) => {
      const order = orders.get(entry.order_id);
      return (
        order !== undefined &&
        leftOf(order) > 0 &&
        isReady(entry, lead) &&
        (unwritten.get(Number(entry.buyer)) ?? number(entry, 'probability')) > 0 &&
        !having.has(entry.buyer) &&
        instants.every((at) => isOpenAt(entry.schedule, at) && !isCapped(entry, order, at))
      );
    });
    const what = `lead ${text(lead, 'lead_id')} waits as ${text(lead, 'reason')}`;
    return taker === undefined ? [] : [`${what}, though buyer ${text(taker, 'buyer')} could receive it`];
  });
}

/** Leads that contradict their decision record. */
export function contradicted({ leads, decisions }: Stored): string[] {
  const keys = new Set([...leads.values()].map(({ pk }) => pk));
  const wrong = [...leads.values()].filter((lead) => {
    const record = decisions.get(lead.pk);
    const isSame = record?.distribution_attempt === lead.distribution_attempt;
    if (lead.status === 'assigned' || lead.status === 'deleted')
      return !isSame || record?.winner !== lead.buyer;
    const { intended_buyer: intended } = lead;
    return lead.status === 'pending' && isSame && intended !== undefined && record?.winner !== intended;
  });
  return [
    ...wrong.map(
      (lead) =>
        `lead ${text(lead, 'lead_id')} is ${text(lead, 'status')} with buyer ${text(lead, 'buyer')}, and the decision is about buyer ${text(decisions.get(lead.pk), 'winner')}`,
    ),
    ...[...decisions.keys()]
      .filter((pk) => !keys.has(pk))
      .map((pk) => `${String(pk)} has a decision and no lead`),
  ];
}

/** The largest difference in leads between the ledger and the sum of all decisions. */
export function ledgerOff({ items, decisions, pool }: Stored): number {
  const off = new Map<string, number>();
  for (const decision of decisions.values())
    for (const [buyer, by] of changesOf(decision)) add(off, String(buyer), by);
  const ledger = items.find(({ pk, sk }) => pk === 'POOL' && sk === 'LEDGER');
  for (const [buyer, deficit] of Object.entries((ledger?.deficits ?? {}) as Record<string, number>))
    add(off, buyer, -deficit);
  const present = pool.filter(({ retired_at }) => retired_at === undefined);
  return Math.max(0, ...present.map(({ buyer }) => Math.abs(off.get(String(buyer)) ?? 0))) / LEAD;
}
