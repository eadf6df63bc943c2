/**
 * Follows leads that leave their order because the buyer's partner refused them. It derives refusals from the
 * transactions, independently of the product's records.
 */
import type { Item } from '#functions/data/table/table';
import { Violation } from '#test/simulation/kernel';
import { isOrder, number } from '#test/simulation/referee/facts';
import { changesOf } from '#test/simulation/referee/shares';
import type { Change } from '#test/simulation/table-model';

const isAssigned = (item: Item | undefined) => item?.status === 'assigned';
const placeOf = (item: Item | undefined) => `${number(item, 'order_id')}-${number(item, 'sequence')}`;

/** The reserved number of each reservation of an order, by attribute and key. */
function notesOf(order: Item | undefined): Map<string, number> {
  return new Map(
    ['reservations', 'replacement_reservations'].flatMap((attribute) =>
      Object.entries((order?.[attribute] ?? {}) as Record<string, number>).map(
        ([key, sequence]) => [`${attribute} ${key}`, sequence] as const,
      ),
    ),
  );
}

export class RefusalWatch {
  readonly #refusers = new Map<string, Set<number>>();
  /** The current lead with a number of an order. */
  readonly #places = new Map<string, string | undefined>();
  /** Each lead's deliveries that can still be sent. */
  readonly #deliveries = new Map<string, Set<string>>();
  readonly #kept: ReadonlyMap<string, number>;

  /** @param kept deliveries received by partners and mail servers: count by lead and host */
  constructor(kept: ReadonlyMap<string, number>) {
    this.#kept = kept;
  }

  follow(changes: readonly Change[]): void {
    for (const change of changes) if (change.sk.startsWith('DELIVERY#')) this.#delivery(change);
    for (const { sk, before, after } of changes) {
      if (sk !== 'LEAD') continue;
      if (isAssigned(before) && after?.status === 'received') this.#leaves(before, after, changes);
      if (isAssigned(before) && !isAssigned(after)) this.#places.set(placeOf(before), undefined);
      if (isAssigned(after) && !isAssigned(before)) this.#assigned(after);
    }
    for (const change of changes) if (isOrder(change)) this.#freed(change.before, change.after, changes);
  }

  #delivery({ pk, sk, after }: Change): void {
    const those = this.#deliveries.get(pk) ?? new Set();
    this.#deliveries.set(pk, those);
    if (after === undefined) those.delete(sk);
    else those.add(sk);
  }

  #assigned(lead: Item | undefined): void {
    const [id, buyer] = [String(lead?.lead_id), number(lead, 'buyer')];
    this.#places.set(placeOf(lead), id);
    if (this.#refusers.get(id)?.has(buyer) === true)
      throw new Violation(`lead ${id} goes to buyer ${buyer} again, which has refused it`);
  }

  #leaves(before: Item | undefined, after: Item, changes: readonly Change[]): void {
    const [id, buyer] = [String(after.lead_id), number(before, 'buyer')];
    const refusers = this.#refusers.get(id) ?? new Set();
    this.#refusers.set(id, refusers.add(buyer));
    const wrong = (why: string) => new Violation(`lead ${id} leaves its order, ${why}`);
    if (number(after, 'distribution_attempt') <= number(before, 'distribution_attempt'))
      throw wrong('and its distribution attempt may still assign it');
    if (before?.claim_id !== undefined) throw wrong('and has a claim');
    for (const [name, times] of this.#kept)
      if (times > 0 && name.startsWith(`${id} `)) throw wrong(`and ${name.slice(id.length + 1)} has it`);
    const sent = changes.filter(({ pk, sk }) => pk === `LEAD#${id}` && sk.startsWith('DELIVERY#'));
    for (const { before: one } of sent)
      if (one?.status !== 'failed' || one.refused !== true || one.channel === 'email')
        throw wrong(`and ${String(one?.channel)} is ${String(one?.status)} and was not refused`);
    const left = [...(this.#deliveries.get(`LEAD#${id}`) ?? [])];
    if (sent.length === 0 || left.length > 0) throw wrong(`and may still be sent: ${left.join(', ')}`);
    if (
      !changes.some(({ pk, after: entry }) => pk.startsWith('AUDIT#lead#') && entry?.action === 'reassigned')
    )
      throw wrong('and it is not in the audit trail');
    this.#places.set(placeOf(before), undefined);
    const frees = changes.find(({ after: order }) => order?.leads_received !== undefined);
    if (number(frees?.after, 'order_id') !== number(before, 'order_id') || taken(frees) !== -1)
      throw wrong('and its capacity is not released');
    takenBack(changes, wrong);
  }

  /** Capacity is released once, by a lead that leaves or by an attempt that failed. */
  #freed(before: Item | undefined, after: Item | undefined, changes: readonly Change[]): void {
    const fell = -taken({ before, after });
    if (before === undefined || fell <= 0) return;
    const id = number(after, 'order_id');
    const places = new Set<string>();
    for (const { sk, before: was, after: is } of changes)
      if (sk === 'LEAD' && isAssigned(was) && !isAssigned(is) && number(was, 'order_id') === id)
        places.add(placeOf(was));
    const noted = notesOf(after);
    for (const [key, sequence] of notesOf(before)) {
      const place = `${id}-${sequence}`;
      if (!noted.has(key) && !this.#places.has(place)) places.add(place);
    }
    if (fell > places.size)
      throw new Violation(`order ${id} frees ${fell} places, and ${places.size} became free`);
  }
}

/** How an order's number of leads changes. */
const taken = (change: Pick<Change, 'before' | 'after'> | undefined) =>
  ['leads_received', 'reimbursement_delivered'].reduce(
    (sum, name) => sum + number(change?.after, name) - number(change?.before, name),
    0,
  );

/** The choice of a reassigned lead is withdrawn from the ledger, entirely and in the same transaction. */
function takenBack(changes: readonly Change[], wrong: (why: string) => Violation): void {
  const decision = changes.find(({ sk, after }) => sk === 'DECISION' && after === undefined)?.before;
  if (decision === undefined) throw wrong('and its choice stays');
  const ledger = changes.find(({ pk, sk }) => pk === 'POOL' && sk === 'LEDGER');
  const deficit = (item: Item | undefined, buyer: number) =>
    number((item?.deficits ?? {}) as Item, String(buyer));
  for (const [buyer, by] of changesOf(decision))
    if (Math.abs(deficit(ledger?.after, buyer) - deficit(ledger?.before, buyer) + by) > 1)
      throw wrong(`and its choice is not withdrawn from buyer ${buyer}`);
}
