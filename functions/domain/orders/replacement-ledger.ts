/**
 * Replacements that are owed: where an approved claim is credited, and the ledger.
 *
 * Until its delivery a replacement is owed either by an order or in the buyer's balance. Each entry moves replacements and is written
 * in the transaction that changes the counters, so `balance_count`, `reimbursement_pending` and `reimbursement_delivered` are
 * always the sums of the entries. See `docs/adr/0007-replacement-ledger.md`.
 */

import { hasCapacity, type Order } from '#functions/data/orders/order';
import type { Replacement } from '#functions/data/orders/replacement';
import { type ReplacementRecords, replacementAdded } from '#functions/data/orders/replacement-store';
import type { TransactionItem } from '#functions/data/table/table';

type Owed = Pick<Order, 'order_id' | 'buyer' | 'reimbursement_pending'>;

/**
 * The order that gets the replacement of an approved claim: the claimed one, unless it is deleted or another one is open. A completed
 * order that gets it is open again.
 * @param current the order of the buyer's pool entry: the open one, or else the latest
 * @returns null for the balance
 */
export function creditTarget<
  O extends Pick<
    Order,
    'order_id' | 'lead_limit' | 'leads_received' | 'reimbursement_pending' | 'deleted_at'
  >,
>(claimed: O, current: O | undefined): O | null {
  const other =
    current !== undefined && current.order_id !== claimed.order_id && hasCapacity(current) ? current : null;
  if (other !== null) return other;
  return claimed.deleted_at === null ? claimed : null;
}

interface Credit {
  readonly buyer: number;
  readonly claimId: number;
  /** The order after this entry; null for the balance. */
  readonly order: Owed | null;
  readonly balanceAfter: number | null;
  readonly at: string;
}

export const creditEntry = (input: Credit) => credited('credit', input);
/** An approval was reversed, so its replacement is no longer owed. */
export const creditUndoneEntry = (input: Credit) => credited('credit_undone', input);

const credited = (
  kind: 'credit' | 'credit_undone',
  { buyer, claimId, order, balanceAfter, at }: Credit,
): TransactionItem =>
  replacementAdded({
    ...untouched,
    buyer,
    at,
    kind,
    amount: 1,
    claim_id: claimId,
    order_id: order?.order_id ?? null,
    balance_after: balanceAfter,
    owed_after: order?.reimbursement_pending ?? null,
  });

interface Move {
  /** The order after this entry. */
  readonly order: Owed;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly at: string;
}

/** From the balance to a new order. */
export const attachEntry = (move: Move) => moved('attach', move, move.order.reimbursement_pending);
/** From a deleted order to the balance. */
export const returnEntry = (move: Move) => moved('return', move, 0);
/** From the balance to an order that was restored. */
export const takeBackEntry = (move: Move) => moved('take_back', move, move.order.reimbursement_pending);

interface Delivered {
  /** The order after this entry. */
  readonly order: Owed;
  readonly leadId: string;
  readonly at: string;
}

export const deliveryEntry = (input: Delivered) => atOrder('delivery', input);
/** A delivered replacement was deleted and is owed again. */
export const deliveryUndoneEntry = (input: Delivered) => atOrder('delivery_undone', input);

/**
 * The same for an order that is deleted or not the buyer's current one. It would never deliver the replacement, so the replacement moves
 * to the balance. @param input.order its counters of owed replacements do not change
 */
export function deliveryUndoneToBalance(input: Delivered & Pick<Move, 'balanceAfter'>): TransactionItem[] {
  const { order, leadId, balanceAfter, at } = input;
  const owing = { ...order, reimbursement_pending: order.reimbursement_pending + 1 };
  return [
    deliveryUndoneEntry({ order: owing, leadId, at }),
    moved('return', { order, amount: 1, balanceAfter, at }, order.reimbursement_pending),
  ];
}

const untouched = { order_id: null, claim_id: null, lead_id: null, balance_after: null, owed_after: null };

const moved = (
  kind: 'attach' | 'return' | 'take_back',
  { order, amount, balanceAfter, at }: Move,
  owedAfter: number,
): TransactionItem =>
  replacementAdded({
    ...untouched,
    buyer: order.buyer,
    at,
    kind,
    amount,
    order_id: order.order_id,
    balance_after: balanceAfter,
    owed_after: owedAfter,
  });

const atOrder = (kind: 'delivery' | 'delivery_undone', { order, leadId, at }: Delivered): TransactionItem =>
  replacementAdded({
    ...untouched,
    buyer: order.buyer,
    at,
    kind,
    amount: 1,
    order_id: order.order_id,
    lead_id: leadId,
    owed_after: order.reimbursement_pending,
  });

const by = (balance: number, owed: number, delivered = 0) => ({ balance, owed, delivered });

function movement({ kind, amount, order_id }: Pick<Replacement, 'kind' | 'amount' | 'order_id'>) {
  switch (kind) {
    case 'credit':
      return order_id === null ? by(amount, 0) : by(0, amount);
    case 'credit_undone':
      return order_id === null ? by(-amount, 0) : by(0, -amount);
    case 'attach':
    case 'take_back':
      return by(-amount, amount);
    case 'return':
      return by(amount, -amount);
    case 'delivery':
      return by(0, -amount, amount);
    case 'delivery_undone':
      return by(0, amount, -amount);
    default:
      return kind satisfies never;
  }
}

export function addUp(entries: readonly Pick<Replacement, 'kind' | 'amount' | 'order_id'>[]) {
  let balance = 0;
  const orders = new Map<number, { owed: number; delivered: number }>();
  for (const entry of entries) {
    const move = movement(entry);
    balance += move.balance;
    if (entry.order_id === null) continue;
    const order = orders.get(entry.order_id) ?? { owed: 0, delivered: 0 };
    orders.set(entry.order_id, { owed: order.owed + move.owed, delivered: order.delivered + move.delivered });
  }
  return { balance, orders };
}

/** A replacement in flight is counted, but has no entry yet; its reservation accounts for it. @returns counters that differ */
export function checkReplacements(records: ReplacementRecords) {
  const found: { of: string; stored: number; entries: number }[] = [];
  const compare = (of: string, stored: number, entries: number) => {
    if (stored !== entries) found.push({ of, stored, entries });
  };
  const orders = new Map(records.orders.map((order) => [order.order_id, order]));
  const balances = new Map(records.buyers.map(({ buyer, balance_count }) => [buyer, balance_count]));
  const accounts = new Map<number, { readonly owed: number; readonly delivered: number }>();
  for (const [buyer, entries] of grouped(records.entries)) {
    const sums = addUp(entries);
    compare(`balance of buyer ${buyer}`, balances.get(buyer) ?? 0, sums.balance);
    balances.delete(buyer);
    for (const [orderId, sum] of sums.orders) {
      if (orders.get(orderId)?.buyer !== buyer) compare(`order ${orderId} of buyer ${buyer}`, 0, sum.owed);
      accounts.set(orderId, sum);
    }
  }
  for (const [buyer, balance] of balances) compare(`balance of buyer ${buyer}`, balance, 0);
  for (const order of orders.values()) {
    const sum = accounts.get(order.order_id) ?? { owed: 0, delivered: 0 };
    const inDistribution = Object.entries(order.replacement_reservations).filter(
      ([reservation, sequence]) => {
        const assignment = records.assignments.get(reservation.slice(0, reservation.lastIndexOf('.')));
        return assignment?.order_id !== order.order_id || assignment.sequence !== sequence;
      },
    ).length;
    compare(`owed by order ${order.order_id}`, order.reimbursement_pending + inDistribution, sum.owed);
    const delivered = order.reimbursement_delivered - inDistribution;
    compare(`delivered by order ${order.order_id}`, delivered, sum.delivered);
  }
  return found;
}

function grouped(entries: readonly Replacement[]): Map<number, Replacement[]> {
  const byBuyer = new Map<number, Replacement[]>();
  for (const entry of entries) {
    const its = byBuyer.get(entry.buyer) ?? [];
    byBuyer.set(entry.buyer, its);
    its.push(entry);
  }
  return byBuyer;
}

export function historyOf(entries: readonly Replacement[]) {
  const claims = new WaitingClaims();
  let balance = 0;
  let owed = 0;
  return inPossibleOrder(entries).map((entry) => {
    const move = movement(entry);
    balance += move.balance;
    owed += move.balance + move.owed;
    return { entry, claim_id: claims.after(entry), balance, owed };
  });
}

const changeOfOwed = (entry: Replacement) => movement(entry).balance + movement(entry).owed;

/**
 * Entries in an order in which they can have happened. Because the clocks of processes differ, a delivery may precede its credit,
 * and a reversal its entry. Such an entry waits for those that it needs, so that the sums do not depend on clocks.
 */
function inPossibleOrder(entries: readonly Replacement[]): Replacement[] {
  const ordered: Replacement[] = [];
  const early: Replacement[] = [];
  const happened = new Set<string>();
  let owed = 0;
  const isPossible = (entry: Replacement) =>
    owed + changeOfOwed(entry) >= 0 &&
    (entry.kind !== 'credit_undone' || happened.has(`credit ${entry.claim_id}`)) &&
    (entry.kind !== 'delivery_undone' || happened.has(`delivery ${entry.lead_id}`));
  for (const entry of entries) {
    early.push(entry);
    for (let next = early.find(isPossible); next !== undefined; next = early.find(isPossible)) {
      early.splice(early.indexOf(next), 1);
      ordered.push(next);
      owed += changeOfOwed(next);
      happened.add(`${next.kind} ${next.claim_id ?? next.lead_id}`);
    }
  }
  return [...ordered, ...early];
}

export interface Credited {
  readonly claim_id: number;
  readonly at: string;
  readonly order_id: number | null;
  readonly delivery: { readonly lead_id: string; readonly at: string } | null;
}

/**
 * Which lead replaces which claim. No entry stores it, because replacements are interchangeable: the n-th delivery belongs to the n-th
 * credit. If a delivered replacement is deleted, its claim waits again, before all later ones. If a credit is undone after
 * its replacement was delivered, that replacement passes to the next claim.
 * @param entries a buyer's, by time
 * @returns the credits by time, without those undone
 */
export function creditedClaims(entries: readonly Replacement[]): Credited[] {
  const credited = new Map<number, Credited>();
  for (const { entry, claim_id } of historyOf(entries)) {
    if (claim_id === null) continue;
    if (entry.kind === 'credit_undone') {
      const delivery = credited.get(claim_id)?.delivery ?? null;
      credited.delete(claim_id);
      const next = [...credited.values()].find((other) => other.delivery === null);
      if (delivery !== null && next !== undefined) credited.set(next.claim_id, { ...next, delivery });
      continue;
    }
    const { at, order_id, lead_id } = entry;
    const before = credited.get(claim_id) ?? { claim_id, at, order_id, delivery: null };
    const delivery = entry.kind === 'delivery' && lead_id !== null ? { lead_id, at } : null;
    credited.set(claim_id, { ...before, delivery });
  }
  return [...credited.values()];
}

class WaitingClaims {
  readonly #ranks = new Map<number, number>();
  readonly #delivered = new Map<string, number>();
  readonly #waiting: number[] = [];

  after(entry: Replacement): number | null {
    const lead = entry.lead_id ?? '';
    switch (entry.kind) {
      case 'credit':
        if (entry.claim_id !== null) {
          this.#ranks.set(entry.claim_id, this.#ranks.size);
          this.#waiting.push(entry.claim_id);
        }
        return entry.claim_id;
      case 'delivery': {
        const claim = this.#waiting.shift();
        if (claim !== undefined) this.#delivered.set(lead, claim);
        return claim ?? null;
      }
      case 'delivery_undone': {
        const claim = this.#delivered.get(lead);
        if (claim !== undefined) {
          this.#delivered.delete(lead);
          this.#waiting.push(claim);
          this.#waiting.sort((a, b) => (this.#ranks.get(a) ?? 0) - (this.#ranks.get(b) ?? 0));
        }
        return claim ?? null;
      }
      case 'credit_undone': {
        const position = entry.claim_id === null ? -1 : this.#waiting.indexOf(entry.claim_id);
        if (position >= 0) this.#waiting.splice(position, 1);
        else this.#passOn(entry.claim_id);
        return entry.claim_id;
      }
      case 'attach':
      case 'return':
      case 'take_back':
        return null;
      default:
        return entry.kind satisfies never;
    }
  }

  /** The replacement of this claim passes to the oldest claim that waits. */
  #passOn(claim: number | null): void {
    const [lead] = [...this.#delivered].find(([, replaced]) => replaced === claim) ?? [];
    const next = this.#waiting.shift();
    if (lead !== undefined && next !== undefined) this.#delivered.set(lead, next);
  }
}
