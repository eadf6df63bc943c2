/** The ledger of replacements on random histories: whatever happens, the figures are what the entries add up to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCapacity } from '#functions/data/orders/order';
import { type Replacement, replacementSchema } from '#functions/data/orders/replacement';
import type { TransactionItem } from '#functions/data/table/table';
import {
  attachEntry,
  checkReplacements,
  creditEntry,
  creditedClaims,
  creditTarget,
  creditUndoneEntry,
  deliveryEntry,
  deliveryUndoneEntry,
  deliveryUndoneToBalance,
  historyOf,
  returnEntry,
  takeBackEntry,
} from '#functions/domain/orders/replacement-ledger';

const BUYER = 7;

interface ModelOrder {
  order_id: number;
  buyer: number;
  lead_limit: number;
  leads_received: number;
  reimbursement_pending: number;
  reimbursement_delivered: number;
  replacement_reservations: Record<string, number>;
  last_sequence: number;
  deleted_at: string | null;
  returned_to_balance: number;
}
interface ModelLead {
  readonly id: string;
  readonly order: ModelOrder;
  readonly sequence: number;
  readonly replacement: boolean;
  claim: 'none' | 'pending' | 'approved' | 'rejected';
  claimId: number;
  state: 'inDistribution' | 'assignments' | 'deleted';
}

/** One buyer with orders, leads and claims, moved as the use cases move them. */
class Model {
  readonly orders: ModelOrder[] = [];
  readonly leads: ModelLead[] = [];
  readonly entries: Replacement[] = [];
  balance = 0;
  approved = 0;
  #current: ModelOrder | undefined;
  #clock = 0;
  #numbers = 0;

  openOrder(limit: number, fromBalance: number): void {
    if (this.#current !== undefined && hasCapacity(this.#current)) return;
    const amount = Math.min(fromBalance, this.balance);
    const order: ModelOrder = {
      order_id: this.orders.length + 1,
      buyer: BUYER,
      lead_limit: limit,
      leads_received: 0,
      reimbursement_pending: amount,
      reimbursement_delivered: 0,
      replacement_reservations: {},
      last_sequence: 0,
      deleted_at: null,
      returned_to_balance: 0,
    };
    this.orders.push(order);
    this.#current = order;
    this.balance -= amount;
    if (amount > 0) this.#enter(attachEntry({ order, amount, balanceAfter: this.balance, at: this.#at() }));
  }

  reserve(): void {
    const order = this.#current;
    if (order === undefined || !hasCapacity(order)) return;
    order.last_sequence += 1;
    const replacement = order.reimbursement_pending > 0;
    const lead: ModelLead = {
      id: `lead-${(this.#numbers += 1)}`,
      order,
      sequence: order.last_sequence,
      replacement,
      claim: 'none',
      claimId: 0,
      state: 'inDistribution',
    };
    this.leads.push(lead);
    if (replacement) {
      order.reimbursement_pending -= 1;
      order.reimbursement_delivered += 1;
      order.replacement_reservations[`${lead.id}.1`] = lead.sequence;
    } else order.leads_received += 1;
  }

  /** Assigns a lead that is being distributed, or releases its reservation. */
  end(pick: number, assigns: boolean): void {
    const lead = this.#pick(pick, ({ state }) => state === 'inDistribution');
    if (lead === undefined) return;
    const { order } = lead;
    if (assigns) {
      lead.state = 'assignments';
      // The record of the reservation stays for a while.
      if (lead.replacement) this.#enter(deliveryEntry({ order, leadId: lead.id, at: this.#at() }));
      return;
    }
    this.leads.splice(this.leads.indexOf(lead), 1);
    if (lead.replacement) {
      order.reimbursement_pending += 1;
      order.reimbursement_delivered -= 1;
      delete order.replacement_reservations[`${lead.id}.1`];
    } else order.leads_received -= 1;
  }

  file(pick: number): void {
    const lead = this.#pick(
      pick,
      (it) => it.state === 'assignments' && !it.replacement && it.claim === 'none',
    );
    if (lead !== undefined) lead.claim = 'pending';
  }

  decide(pick: number, approves: boolean): void {
    const lead = this.#pick(pick, ({ claim }) => claim === 'pending');
    if (lead === undefined) return;
    lead.claim = approves ? 'approved' : 'rejected';
    if (!approves) return;
    this.approved += 1;
    const target = creditTarget(lead.order, this.#current);
    lead.claimId = this.#numbers += 1;
    const common = { buyer: BUYER, claimId: lead.claimId, at: this.#at() };
    if (target === null) {
      this.balance += 1;
      this.#enter(creditEntry({ ...common, order: null, balanceAfter: this.balance }));
      return;
    }
    target.reimbursement_pending += 1;
    this.#current = target;
    this.#enter(creditEntry({ ...common, order: target, balanceAfter: null }));
  }

  /** Whether its replacement was delivered is read before, so it may be delivered by now while another one is owed. */
  reverse(pick: number): void {
    const lead = this.#pick(pick, ({ claim, state }) => claim === 'approved' && state === 'assignments');
    if (lead === undefined) return;
    const order = this.orders.find(({ reimbursement_pending }) => reimbursement_pending > 0);
    if (order === undefined && this.balance === 0) return;
    const common = { buyer: BUYER, claimId: lead.claimId, at: this.#at() };
    lead.claim = 'rejected';
    this.approved -= 1;
    if (order === undefined) {
      this.balance -= 1;
      this.#enter(creditUndoneEntry({ ...common, order: null, balanceAfter: this.balance }));
      return;
    }
    order.reimbursement_pending -= 1;
    this.#enter(creditUndoneEntry({ ...common, order, balanceAfter: null }));
  }

  deleteOrder(pick: number): void {
    const order = this.orders[pick % (this.orders.length || 1)];
    if (order === undefined || order.deleted_at !== null) return;
    const amount = order.reimbursement_pending;
    const at = this.#at();
    this.balance += amount;
    if (amount > 0) this.#enter(returnEntry({ order, amount, balanceAfter: this.balance, at }));
    order.deleted_at = at;
    order.reimbursement_pending = 0;
    order.returned_to_balance = amount;
  }

  restoreOrder(): void {
    if (this.#current !== undefined && hasCapacity(this.#current)) return;
    const order = this.orders
      .filter(({ deleted_at }) => deleted_at !== null)
      .toSorted((a, b) => ((a.deleted_at ?? '') < (b.deleted_at ?? '') ? 1 : -1))[0];
    if (order === undefined) return;
    const amount = Math.min(order.returned_to_balance, this.balance);
    order.deleted_at = null;
    order.returned_to_balance = 0;
    order.reimbursement_pending += amount;
    this.balance -= amount;
    this.#current = order;
    if (amount > 0) this.#enter(takeBackEntry({ order, amount, balanceAfter: this.balance, at: this.#at() }));
  }

  deleteLead(pick: number): void {
    const lead = this.#pick(pick, ({ state, claim }) => state === 'assignments' && claim !== 'pending');
    if (lead === undefined) return;
    lead.state = 'deleted';
    const { order } = lead;
    if (!lead.replacement) {
      if (lead.claim !== 'approved') order.leads_received -= 1;
      return;
    }
    order.reimbursement_delivered -= 1;
    if (order === this.#current && order.deleted_at === null) {
      order.reimbursement_pending += 1;
      this.#enter(deliveryUndoneEntry({ order, leadId: lead.id, at: this.#at() }));
      return;
    }
    this.balance += 1;
    const undone = { order, leadId: lead.id, balanceAfter: this.balance, at: this.#at() };
    for (const entry of deliveryUndoneToBalance(undone)) this.#enter(entry);
  }

  records() {
    const assignments = new Map(
      this.leads
        .filter(({ state }) => state !== 'inDistribution')
        .map(({ id, order, sequence }) => [id, { order_id: order.order_id, sequence }] as const),
    );
    return {
      buyers: [{ buyer: BUYER, balance_count: this.balance }],
      orders: this.orders,
      entries: this.entries,
      assignments,
    };
  }

  #enter(item: TransactionItem): void {
    if (!('put' in item)) throw new Error('An entry is a put');
    this.entries.push(replacementSchema.parse(item.put));
  }

  #at(): string {
    this.#clock += 1;
    return new Date(this.#clock).toISOString();
  }

  #pick(at: number, which: (lead: ModelLead) => boolean): ModelLead | undefined {
    const candidates = this.leads.filter(which);
    return candidates[at % (candidates.length || 1)];
  }
}

const pick = fc.nat(50);
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(3)).map(
      ([a, b]) =>
        (m: Model) =>
          m.openOrder(a, b),
    ),
  },
  { weight: 5, arbitrary: fc.constant((m: Model) => m.reserve()) },
  {
    weight: 5,
    arbitrary: fc.tuple(pick, fc.integer({ min: 0, max: 4 })).map(
      ([p, n]) =>
        (m: Model) =>
          m.end(p, n > 0),
    ),
  },
  { weight: 4, arbitrary: pick.map((p) => (m: Model) => m.file(p)) },
  {
    weight: 4,
    arbitrary: fc.tuple(pick, fc.integer({ min: 0, max: 3 })).map(
      ([p, n]) =>
        (m: Model) =>
          m.decide(p, n > 0),
    ),
  },
  { weight: 1, arbitrary: pick.map((p) => (m: Model) => m.reverse(p)) },
  { weight: 2, arbitrary: pick.map((p) => (m: Model) => m.deleteOrder(p)) },
  { weight: 2, arbitrary: fc.constant((m: Model) => m.restoreOrder()) },
  { weight: 2, arbitrary: pick.map((p) => (m: Model) => m.deleteLead(p)) },
);

const entry = (kind: Replacement['kind'], at: number, thing: { claim_id?: number; lead_id?: string }) =>
  replacementSchema.parse({
    buyer: BUYER,
    at: new Date(at).toISOString(),
    kind,
    amount: 1,
    order_id: 1,
    claim_id: null,
    lead_id: null,
    balance_after: null,
    owed_after: 0,
    ...thing,
  });

describe('the ledger of replacements', () => {
  it('adds up to every figure after every step of 10,000 random histories', () => {
    const reached = { delivered: 0, balance: 0, undone: 0, takenBack: 0, reversed: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), (steps) => {
        const model = new Model();
        for (const apply of steps) {
          apply(model);
          const owed = model.orders.reduce((sum, order) => sum + order.reimbursement_pending, 0);
          const delivered = model.orders.reduce((sum, order) => sum + order.reimbursement_delivered, 0);
          const good = model.leads.filter(
            ({ state, replacement, claim }) => state !== 'deleted' && !replacement && claim !== 'approved',
          ).length;
          const ordered = model.orders.reduce((sum, order) => sum + order.lead_limit, 0);
          // Nothing is made of nothing, nothing is lost, and a buyer has or is owed no more good leads than it ordered.
          const found = checkReplacements(model.records());
          if (
            found.length > 0 ||
            model.balance < 0 ||
            model.balance + owed + delivered !== model.approved ||
            good + owed + delivered + model.balance > ordered
          )
            expect.fail(JSON.stringify({ found, good, ordered, model }));
        }
        const history = historyOf(model.entries);
        for (const { entry, claim_id, balance, owed } of history) {
          if (entry.kind === 'delivery' || entry.kind === 'credit') expect(claim_id).not.toBeNull();
          if (entry.balance_after !== null) expect(balance).toBe(entry.balance_after);
          expect(owed).toBeGreaterThanOrEqual(0);
        }
        // Every replacement that is there replaces one claim, and no claim is replaced twice.
        const credited = creditedClaims(model.entries);
        expect(credited).toHaveLength(model.approved);
        const replacing = credited.flatMap(({ delivery }) => delivery?.lead_id ?? []);
        const there = model.leads.filter((lead) => lead.replacement && lead.state === 'assignments');
        expect(replacing.toSorted()).toEqual(there.map(({ id }) => id).toSorted());
        // Unless one was undone, the n-th delivery is that of the n-th credit.
        if (history.every(({ entry }) => !entry.kind.endsWith('_undone'))) {
          const inOrder = history.flatMap(({ entry }) => (entry.kind === 'delivery' ? [entry.lead_id] : []));
          expect(replacing).toEqual(inOrder);
          expect(credited.findIndex(({ delivery }) => delivery === null)).toBe(
            credited.length > inOrder.length ? inOrder.length : -1,
          );
        }
        reached.delivered += history.filter(({ entry }) => entry.kind === 'delivery').length;
        reached.balance += history.filter(
          ({ entry }) => entry.kind === 'credit' && entry.order_id === null,
        ).length;
        reached.undone += history.filter(({ entry }) => entry.kind === 'delivery_undone').length;
        reached.reversed += history.filter(({ entry }) => entry.kind === 'credit_undone').length;
        reached.takenBack += history.filter(({ entry }) => entry.kind === 'take_back').length;
      }),
      { numRuns: 10_000 },
    );
    // The histories are worth something only if they get to all of it.
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(100);
  }, 120_000);

  it('owes as many replacements whatever the clocks of those who wrote the entries', () => {
    const reached = { early: 0 };
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }),
        fc.infiniteStream(fc.nat(8)),
        (steps, ahead) => {
          const model = new Model();
          for (const apply of steps) apply(model);
          const written = model.entries.map((each, at) => ({ each, time: at + (ahead.next().value ?? 0) }));
          const entries = written.toSorted((a, b) => a.time - b.time).map(({ each }) => each);
          const waiting = model.orders.reduce((sum, it) => sum + it.reimbursement_pending, model.balance);
          const inFlight = model.leads.filter((it) => it.replacement && it.state === 'inDistribution').length;
          const credited = creditedClaims(entries);
          expect(credited).toHaveLength(model.approved);
          expect(credited.filter(({ delivery }) => delivery === null)).toHaveLength(waiting + inFlight);
          const there = model.leads.filter((it) => it.replacement && it.state === 'assignments');
          expect(credited.flatMap(({ delivery }) => delivery?.lead_id ?? []).toSorted()).toEqual(
            there.map(({ id }) => id).toSorted(),
          );
          const first = entries.find(({ kind }) => kind === 'credit' || kind === 'delivery');
          if (first?.kind === 'delivery') reached.early += 1;
        },
      ),
      { numRuns: 2_000 },
    );
    expect(reached.early).toBeGreaterThan(20);
  }, 60_000);

  it('gives a claim the replacement that was delivered by a clock behind', () => {
    const entries = [
      entry('delivery_undone', 1, { lead_id: 'a' }),
      entry('delivery', 2, { lead_id: 'a' }),
      entry('delivery', 3, { lead_id: 'b' }),
      entry('credit', 4, { claim_id: 11 }),
    ];
    expect(creditedClaims(entries)).toEqual([
      {
        claim_id: 11,
        at: new Date(4).toISOString(),
        order_id: 1,
        delivery: { lead_id: 'b', at: new Date(3).toISOString() },
      },
    ]);
  });

  it('lets the oldest claim wait again first when two replacements are deleted', () => {
    const entries = [
      entry('credit', 1, { claim_id: 11 }),
      entry('credit', 2, { claim_id: 12 }),
      entry('delivery', 3, { lead_id: 'a' }),
      entry('delivery', 4, { lead_id: 'b' }),
      entry('delivery_undone', 5, { lead_id: 'a' }),
      entry('delivery_undone', 6, { lead_id: 'b' }),
      entry('delivery', 7, { lead_id: 'c' }),
    ];
    expect(creditedClaims(entries)).toEqual([
      {
        claim_id: 11,
        at: new Date(1).toISOString(),
        order_id: 1,
        delivery: { lead_id: 'c', at: new Date(7).toISOString() },
      },
      { claim_id: 12, at: new Date(2).toISOString(), order_id: 1, delivery: null },
    ]);
  });

  it('shows a figure that somebody changed by hand', () => {
    const model = new Model();
    model.openOrder(1, 0);
    model.reserve();
    model.end(0, true);
    model.file(0);
    model.decide(0, true);
    const records = model.records();
    expect(checkReplacements(records)).toEqual([]);
    const [order] = records.orders;
    expect(checkReplacements({ ...records, orders: [{ ...order!, reimbursement_pending: 2 }] })).toEqual([
      { of: 'owed by order 1', stored: 2, entries: 1 },
    ]);
    expect(checkReplacements({ ...records, buyers: [{ buyer: BUYER, balance_count: 1 }] })).toEqual([
      { of: `balance of buyer ${BUYER}`, stored: 1, entries: 0 },
    ]);
    expect(checkReplacements({ ...records, entries: [] })).toEqual([
      { of: 'owed by order 1', stored: 1, entries: 0 },
    ]);
  });
});

const order = (order_id: number, changes: Partial<ModelOrder> = {}) => ({
  order_id,
  lead_limit: 2,
  leads_received: 2,
  reimbursement_pending: 0,
  deleted_at: null,
  ...changes,
});

describe('the credit of an approved claim', () => {
  const open = { leads_received: 1 };
  const deleted = { deleted_at: '2025-05-14T08:00:00.000Z' };

  it.each([
    { claimed: order(1), current: order(1), target: 1, why: 'a completed order opens again' },
    { claimed: order(1, open), current: order(1, open), target: 1, why: 'the order that is open itself' },
    { claimed: order(1), current: order(2, open), target: 2, why: 'another order is open' },
    {
      claimed: order(1),
      current: order(2, { reimbursement_pending: 1 }),
      target: 2,
      why: 'open for a replacement',
    },
    { claimed: order(1), current: order(2), target: 1, why: 'the other one is completed too' },
    { claimed: order(1), current: order(2, deleted), target: 1, why: 'the other one is deleted' },
    { claimed: order(1, deleted), current: order(2, open), target: 2, why: 'deleted, another is open' },
    {
      claimed: order(1, deleted),
      current: order(2),
      target: null,
      why: 'deleted, another is only completed',
    },
    {
      claimed: order(1, { ...open, ...deleted }),
      current: order(1, { ...open, ...deleted }),
      target: null,
      why: 'deleted',
    },
    { claimed: order(1), current: undefined, target: 1, why: 'no current order is known' },
  ])('goes to $target: $why', ({ claimed, current, target }) => {
    expect(creditTarget(claimed, current)?.order_id ?? null).toBe(target);
  });
});
