/** Rules that hold after every write. */
import { FAILURES_TO_OPEN } from '#functions/data/deliveries/circuits';
import type { Item } from '#functions/data/table/table';
import { ClaimWatch } from '#test/simulation/claim-watch';
import { ConsentWatch } from '#test/simulation/consent-watch';
import { Violation } from '#test/simulation/kernel';
import { KnownWatch } from '#test/simulation/known-watch';
import { isOrder, number } from '#test/simulation/referee/facts';
import { RefusalWatch } from '#test/simulation/refusal-watch';
import type { Change } from '#test/simulation/table-model';

const assigned = (item: Item | undefined) => item?.status === 'assigned';
/** A delivery's attempts, without the entries about postponements. */
const tried = ({ attempts }: Item) =>
  Array.isArray(attempts) ? attempts.filter(({ outcome }) => outcome !== 'skipped').length : 0;

/** Partitions where every item has a version, which each write requires. */
const VERSIONED: ReadonlySet<string> = new Set(['BUYERS', 'POOL', 'ACCOUNTS', 'STATISTICS']);

const LEGAL: Readonly<Record<string, readonly string[]>> = {
  none: ['received'],
  // Discarded in flight after its person was erased or withdrew the consent.
  received: ['received', 'pending', 'assigned', 'duplicate', 'withdrawn', 'discarded', 'none'],
  duplicate: ['duplicate'],
  withdrawn: ['withdrawn'],
  pending: ['pending', 'received', 'discarded'],
  // Received again after its partner refused it (`refusal-watch.ts`).
  assigned: ['assigned', 'deleted', 'received'],
  discarded: ['discarded'],
  deleted: ['deleted'],
};

/** The action of an audit entry, and the change that its own transaction must contain. */
const DONE: Readonly<Record<string, (change: Change) => boolean>> = {
  'buyer created': ({ pk, before }) => pk === 'BUYERS' && before === undefined,
  'buyer deleted': ({ pk, before, after }) => pk === 'BUYERS' && deletes(before, after),
  'order created': (change) => isOrder(change) && change.before === undefined,
  'order deleted': (change) => isOrder(change) && deletes(change.before, change.after),
  'order restored': (change) => isOrder(change) && deletes(change.after, change.before),
  'order limit_changed': (change) =>
    isOrder(change) && change.before?.lead_limit !== change.after?.lead_limit,
  'order caps_changed': (change) =>
    isOrder(change) && JSON.stringify(change.before?.pace) !== JSON.stringify(change.after?.pace),
  'order token_renewed': (change) => isOrder(change) && change.before?.token !== change.after?.token,
  'lead assigned': (change) => becomes(change, 'received', 'assigned'),
  'lead discarded': (change) => becomes(change, 'pending', 'discarded'),
  'lead deleted': (change) => becomes(change, 'assigned', 'deleted'),
  'lead erased': ({ sk, after }) => sk === 'LEAD' && after?.erased_at !== undefined,
  'lead reassigned': (change) => becomes(change, 'assigned', 'received'),
  'lead distributed_again': (change) => becomes(change, 'pending', 'received'),
  'claim filed': ({ sk, before }) => sk === 'CLAIM' && before === undefined,
  'claim approved': (change) => isDecided(change, 'approved'),
  'claim rejected': (change) => isDecided(change, 'rejected'),
  'claim decision_reversed': ({ sk, before, after }) =>
    sk === 'CLAIM' && before?.reversed_at === undefined && after?.reversed_at !== undefined,
};
const deletes = (before: Item | undefined, after: Item | undefined) =>
  before?.deleted_at === null && typeof after?.deleted_at === 'string';
const becomes = ({ sk, before, after }: Change, from: string, to: string) =>
  sk === 'LEAD' && before?.status === from && after?.status === to;
const isDecided = ({ sk, before, after }: Change, to: string) =>
  sk === 'CLAIM' && before?.claim_status === 'pending' && after?.claim_status === to;

/** Facts of the world that are not in its table. */
interface Watched {
  /** Bounced e-mails. */
  readonly bounced: ReadonlySet<string>;
  /** The subjects of the operator's notices. */
  readonly notified: readonly string[];
  /** Deliveries received by partners and mail servers: count by lead and host. */
  readonly kept: ReadonlyMap<string, number>;
  readonly scheduler: { readonly now: number };
  readonly personKey: Uint8Array;
}

/** Follows every write and compares. It keeps its own counts, independent of the product's. */
export class Watch {
  readonly #orders = new Map<number, Item>();
  /** Assigned original leads, by order. */
  readonly #originals = new Map<number, Set<string>>();
  readonly #numbers = new Map<string, string>();
  readonly #pool = new Map<string, Item>();
  readonly #tokens = new Map<string, number>();
  readonly #retired = new Set<string>();
  /** All IDs that a buyer has ever had, by its number. */
  readonly #buyerIds = new Map<number, Set<string>>();
  readonly #world: Watched;
  readonly #refusals: RefusalWatch;
  readonly #erased = new Set<string>();
  readonly #claims = new ClaimWatch();
  readonly #consents: ConsentWatch;
  readonly #known: KnownWatch;
  /** The titles of alerts, which are in the table until they are sent. */
  readonly #alerts: string[] = [];

  constructor(world: Watched) {
    this.#world = world;
    this.#refusals = new RefusalWatch(world.kept);
    this.#consents = new ConsentWatch(world);
    this.#known = new KnownWatch(world);
  }

  readonly follow = (changes: readonly Change[]): void => {
    this.#refusals.follow(changes);
    this.#claims.follow(changes);
    this.#consents.follow(changes);
    this.#known.follow(changes);
    for (const change of changes) {
      this.#one(change);
      if (isOrder(change)) this.#followed(change, changes);
      if (change.pk.startsWith('AUDIT#') && change.before === undefined) this.#audited(change, changes);
    }
    for (const { pk } of changes) {
      if (pk === 'POOL') this.#weights();
      if (pk.startsWith('TOKEN#') || pk.startsWith('ORDERS#')) this.#links();
      if (pk.startsWith('ORDERS#') || pk.startsWith('LEAD#')) this.#limits();
    }
  };

  #one(change: Change): void {
    const { pk, sk, before, after } = change;
    if (
      (VERSIONED.has(pk) || sk === 'COUNTED') &&
      typeof before?.version === 'number' &&
      after !== undefined &&
      number(after, 'version') <= number(before, 'version')
    )
      throw new Violation(`${pk} ${sk} is changed from an old copy`);
    if (sk === 'LEAD') return this.#lead(before, after);
    if (pk === 'POOL') {
      if (after === undefined) this.#pool.delete(sk);
      else this.#pool.set(sk, after);
    } else if (isOrder(change)) this.#order(before, after);
    else if (pk.startsWith('TOKEN#')) {
      const token = pk.slice('TOKEN#'.length);
      if (after === undefined) {
        this.#tokens.delete(token);
        this.#retired.add(token);
      } else {
        if (this.#retired.has(token))
          throw new Violation(`the renewed link ${token.slice(0, 6)} works again`);
        this.#tokens.set(token, number(after, 'order_id'));
      }
    } else if (sk.startsWith('DELIVERY#') || sk.startsWith('CALLBACK#')) this.#sending(sk, before, after);
    else if (sk === 'NOTIFICATION' && before === undefined && after?.about === 'alert')
      this.#alerts.push(String(after.title));
    else if (
      sk === 'NOTIFICATION' &&
      before !== undefined &&
      after !== undefined &&
      before.created_at !== after.created_at
    )
      throw new Violation(`${pk} is written once more`);
    else if (
      (sk.startsWith('INCIDENT#') || pk.startsWith('NOTIFIED#order')) &&
      before !== undefined &&
      after !== undefined
    )
      throw new Violation(`${pk} ${sk} is notified twice`);
    else if (pk.startsWith('NOTIFIED#week') && before !== undefined && before.monday === after?.monday)
      throw new Violation(`${pk} of ${String(after?.monday)} is notified twice`);
    else if (pk.startsWith('CIRCUIT#')) this.#circuit(pk, after);
    else if (pk === 'BUYERS' && after !== undefined) {
      const buyer = number(after, 'buyer');
      if (number(after, 'balance_count') < 0) throw new Violation(`buyer ${buyer} has a negative balance`);
      this.#buyerIds.set(buyer, (this.#buyerIds.get(buyer) ?? new Set()).add(String(after.buyer_id)));
    }
  }

  /** An entry is written together with what it records. */
  #audited({ pk, after }: Change, changes: readonly Change[]): void {
    const what = `${pk.split('#')[1] ?? ''} ${String(after?.action)}`;
    const isDone = DONE[what];
    if (isDone !== undefined && !changes.some(isDone))
      throw new Violation(`the audit trail says "${what}" of ${pk.split('#')[2] ?? ''}, and nothing was`);
  }

  /** Without its failures a circuit would be unreadable, and block every later delivery. */
  #circuit(pk: string, after: Item | undefined): void {
    if (after === undefined) return;
    const failures = number(after, 'failures');
    if (failures < 1) throw new Violation(`${pk} has no failures`);
    if (after.open_until !== undefined && failures < FAILURES_TO_OPEN)
      throw new Violation(`${pk} is open after ${failures} failures`);
  }

  #lead(before: Item | undefined, after: Item | undefined): void {
    const id = String(after?.lead_id ?? before?.lead_id);
    const statusOf = (item: Item | undefined) => (typeof item?.status === 'string' ? item.status : 'none');
    const [from, to] = [statusOf(before), statusOf(after)];
    if (LEGAL[from]?.includes(to) !== true) throw new Violation(`lead ${id} goes from ${from} to ${to}`);
    if (after?.erased_at !== undefined) this.#erased.add(id);
    else if (from === 'received' && to === 'discarded' && after?.withdrawn_at === undefined)
      throw new Violation(`lead ${id} is discarded in flight`);
    if (before?.erased_at !== undefined && assigned(after) && !assigned(before))
      throw new Violation(`lead ${id} is assigned after its person was erased`);
    if (before?.withdrawn_at !== undefined && assigned(after) && !assigned(before))
      throw new Violation(`lead ${id} is assigned after its person withdrew the consent`);
    if (number(after, 'distribution_attempt') < number(before, 'distribution_attempt') && after !== undefined)
      throw new Violation(`lead ${id} goes back to an earlier distribution attempt`);
    if (
      from === 'received' &&
      to === 'received' &&
      before?.in_flight_since !== after?.in_flight_since &&
      before?.distribution_attempt === after?.distribution_attempt
    )
      throw new Violation(`lead ${id} is taken over twice by the same distribution attempt`);
    if (assigned(before) && assigned(after))
      for (const field of ['order_id', 'sequence', 'buyer', 'lead_type', 'assigned_at'])
        if (before?.[field] !== after?.[field])
          throw new Violation(`lead ${id} is assigned twice: its ${field} changes`);
    if (assigned(after) && !assigned(before)) {
      const name = `${String(after?.order_id)}-${String(after?.sequence)}`;
      const other = this.#numbers.get(name);
      if (other !== undefined && other !== id)
        throw new Violation(`the number ${name} is given to ${other} and ${id}`);
      this.#numbers.set(name, id);
    }
    if (after?.lead_type === 'original' || before?.lead_type === 'original') {
      const order = number(after?.order_id === undefined ? before : after, 'order_id');
      const leads = this.#originals.get(order) ?? new Set<string>();
      this.#originals.set(order, leads);
      if (assigned(after)) leads.add(id);
      else leads.delete(id);
    }
  }

  /** A full order has one successor, which replaces it in the pool in the same transaction. */
  #followed({ before, after }: Change, changes: readonly Change[]): void {
    const [was, is] = [before?.renewed_as, after?.renewed_as];
    if (before === undefined || after === undefined || was === is) return;
    const id = number(after, 'order_id');
    if (was !== undefined) throw new Violation(`order ${id} is followed by another one after the first`);
    const hasOpenCapacity =
      number(after, 'leads_received') < number(after, 'lead_limit') ||
      number(after, 'reimbursement_pending') > 0;
    if (after.deleted_at !== null || hasOpenCapacity)
      throw new Violation(`order ${id} is followed and not full`);
    const isNext = ({ before: no, after: order }: Change) => no === undefined && order?.order_id === is;
    if (!changes.some((change) => isOrder(change) && isNext(change)))
      throw new Violation(`order ${id} is followed by one that is not new`);
    const entry = changes.find(({ pk, sk }) => pk === 'POOL' && sk.startsWith('ENTRY#'));
    // An order with a successor may become the buyer's current one again, for a replacement.
    const current = this.#orders.get(number(entry?.before, 'order_id'));
    const isLast = entry?.before?.order_id === id || current?.renewed_as !== undefined;
    if (!isLast || entry?.after?.order_id !== is)
      throw new Violation(`order ${id} is followed, and was not the order of its buyer`);
    if (after.reorder === undefined && after.renewal !== 'auto')
      throw new Violation(`order ${id} is followed, and nobody asked for it`);
  }

  #order(before: Item | undefined, after: Item | undefined): void {
    if (after === undefined) throw new Violation(`order ${number(before, 'order_id')} is gone`);
    const id = number(after, 'order_id');
    this.#orders.set(id, after);
    if (number(after, 'leads_received') > number(after, 'lead_limit'))
      throw new Violation(
        `order ${id} counts ${number(after, 'leads_received')} leads of ${number(after, 'lead_limit')}`,
      );
    for (const field of [
      'leads_received',
      'reimbursement_pending',
      'reimbursement_delivered',
      'pending_claims',
    ])
      if (number(after, field) < 0) throw new Violation(`order ${id} has ${field} below nothing`);
    if (before !== undefined && number(after, 'last_sequence') > number(before, 'last_sequence')) {
      if (before.deleted_at !== null) throw new Violation(`order ${id} receives a lead after it was deleted`);
      if (
        number(after, 'leads_received') > number(before, 'leads_received') &&
        number(after, 'reimbursement_pending') > 0
      )
        throw new Violation(`order ${id} receives an original lead while it owes a replacement`);
    }
    if (before !== undefined && number(after, 'total_claims') > number(before, 'total_claims'))
      this.#claimed(after);
    if (number(after, 'last_sequence') < number(before, 'last_sequence'))
      throw new Violation(`order ${id} gives a number twice`);
  }

  /** Filed claims that are not rejected are within the quota. */
  #claimed(order: Item): void {
    if (typeof order.claim_quota_percent !== 'number') return;
    const claims = number(order, 'total_claims') - number(order, 'rejected_claims');
    if ((claims - 1) * 100 >= number(order, 'lead_limit') * order.claim_quota_percent)
      throw new Violation(`order ${number(order, 'order_id')} accepts a claim beyond its quota`);
  }

  #sending(sk: string, before: Item | undefined, after: Item | undefined): void {
    if (before === undefined || after === undefined) return;
    const name = `${sk.startsWith('DELIVERY#') ? 'delivery' : 'callback'} ${String(after.lead_id)} ${String(after.channel ?? after.callback_id)}`;
    if (number(after, 'series') < number(before, 'series'))
      throw new Violation(`${name} goes back to an earlier series`);
    const cameBack = this.#world.bounced.has(String(before.external_id)) && after.status === 'failed';
    if (
      before.status === 'delivered' &&
      after.status !== 'delivered' &&
      before.series === after.series &&
      !cameBack
    )
      throw new Violation(`${name} was delivered and becomes ${String(after.status)}`);
    // Data sent about an erased person are removed; those of callbacks before the lead is marked as erased.
    if (sk.startsWith('CALLBACK#') && Array.isArray(after.attempts) && after.attempts.length === 0) return;
    if (before.series !== after.series || this.#erased.has(String(after.lead_id))) return;
    if (number(after, 'attempt_count') < number(before, 'attempt_count') || tried(after) < tried(before))
      throw new Violation(`${name} forgets an attempt`);
    if (before.unreported === true && after.unreported !== true) this.#reported(name, after);
  }

  #reported(name: string, delivery: Item): void {
    const ids = this.#buyerIds.get(number(delivery, 'buyer')) ?? new Set();
    const isNotified = [...this.#world.notified, ...this.#alerts].some((subject) => {
      const [, channel, id] = /^Delivery failed: (\S+) of buyer (\S+)$/.exec(subject) ?? [];
      return channel === delivery.channel && id !== undefined && ids.has(id);
    });
    if (!isNotified) throw new Violation(`${name} is marked as reported, and the operator was not notified`);
  }

  /** Replacements are beyond the limit; original leads never are. */
  #limits(): void {
    for (const [id, leads] of this.#originals) {
      const limit = number(this.#orders.get(id), 'lead_limit');
      if (leads.size > limit)
        throw new Violation(`order ${id} has ${leads.size} original leads and a limit of ${limit}`);
    }
  }

  #weights(): void {
    const unwritten = this.#pool.get('WEIGHTS')?.unwritten as
      | { readonly buyers: readonly number[]; readonly weights?: readonly number[] }
      | undefined;
    const weights = new Map(unwritten?.buyers.map((buyer, at) => [buyer, unwritten.weights?.[at] ?? 0]));
    let sum = 0;
    for (const [sk, entry] of this.#pool)
      if (
        sk.startsWith('ENTRY#') &&
        entry.active === true &&
        entry.order_id !== null &&
        entry.retired_at === undefined
      )
        sum += weights.get(number(entry, 'buyer')) ?? number(entry, 'probability');
    if (sum > 10_000) throw new Violation(`the weights of the active buyers sum to ${sum / 100} %`);
  }

  #links(): void {
    for (const [token, order] of this.#tokens) {
      const item = this.#orders.get(order);
      if (item !== undefined && item.token !== token) throw new Violation(`order ${order} has two links`);
    }
  }
}
