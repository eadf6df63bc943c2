/** The replacement ledger: sums of its entries, and which lead compensates which claim. */
import { describe, expect, it } from 'vitest';
import type { Order } from '#functions/data/orders/order';
import { type Replacement, replacementSchema } from '#functions/data/orders/replacement';
import {
  addUp,
  checkReplacements,
  creditedClaims,
  creditTarget,
  historyOf,
} from '#functions/domain/orders/replacement-ledger';

const BUYER = 7;

type Thing = Partial<Pick<Replacement, 'claim_id' | 'lead_id' | 'order_id' | 'amount'>>;
const entry = (kind: Replacement['kind'], at: number, thing: Thing = {}) =>
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
const credit = (at: number, claim_id: number, thing: Thing = {}) =>
  entry('credit', at, { claim_id, ...thing });
const undo = (at: number, claim_id: number) => entry('credit_undone', at, { claim_id });
const delivery = (at: number, lead_id: string) => entry('delivery', at, { lead_id });
const remove = (at: number, lead_id: string) => entry('delivery_undone', at, { lead_id });

/** One entry of each kind: claims of two orders and of the balance, a deleted order, a new order. */
const HISTORY = [
  credit(1, 11),
  credit(2, 12),
  credit(3, 13, { order_id: null }),
  delivery(4, 'a'),
  entry('return', 5),
  entry('attach', 6, { order_id: 2, amount: 2 }),
  entry('delivery', 7, { order_id: 2, lead_id: 'b' }),
  entry('delivery_undone', 8, { order_id: 2, lead_id: 'b' }),
  entry('credit_undone', 9, { order_id: 2, claim_id: 13 }),
  entry('return', 10, { order_id: 2 }),
  entry('take_back', 11, { order_id: 2 }),
  credit(12, 14, { order_id: null }),
  entry('credit_undone', 13, { order_id: null, claim_id: 14 }),
];

describe('the replacement ledger', () => {
  it('adds up to the balance and to each order’s owed and delivered replacements', () => {
    expect(addUp(HISTORY)).toEqual({
      balance: 0,
      orders: new Map([
        [1, { owed: 0, delivered: 1 }],
        [2, { owed: 1, delivered: 0 }],
      ]),
    });
    const lines = historyOf(HISTORY).map(({ claim_id, balance, owed }) => [claim_id, balance, owed]);
    expect(lines).toEqual([
      [11, 0, 1],
      [12, 0, 2],
      [13, 1, 3],
      [11, 1, 2],
      [null, 2, 2],
      [null, 0, 2],
      [12, 0, 1],
      [12, 0, 2],
      [13, 0, 1],
      [null, 1, 1],
      [null, 0, 1],
      [14, 1, 2],
      [14, 0, 1],
    ]);
  });

  it.each<readonly [string, readonly Replacement[], Record<number, string | null>]>([
    [
      'the n-th delivery',
      [credit(1, 11), credit(2, 12), delivery(3, 'a'), delivery(4, 'b')],
      { 11: 'a', 12: 'b' },
    ],
    ['nothing yet', [credit(1, 11), credit(2, 12), delivery(3, 'a')], { 11: 'a', 12: null }],
    [
      'a delivery by a slow clock',
      [remove(1, 'a'), delivery(2, 'a'), delivery(3, 'b'), credit(4, 11)],
      { 11: 'b' },
    ],
    [
      'the next delivery after a replacement is deleted, oldest claim first',
      [
        credit(1, 11),
        credit(2, 12),
        delivery(3, 'a'),
        delivery(4, 'b'),
        remove(5, 'a'),
        remove(6, 'b'),
        delivery(7, 'c'),
      ],
      { 11: 'c', 12: null },
    ],
    ['none once it is undone', [credit(1, 11), credit(2, 12), undo(3, 11), delivery(4, 'a')], { 12: 'a' }],
    ['none once it is undone by a slow clock', [undo(1, 11), credit(2, 11), credit(3, 12)], { 12: null }],
    [
      'the earlier delivery for an undone claim',
      [credit(1, 11), credit(2, 12), delivery(3, 'a'), undo(4, 11)],
      { 12: 'a' },
    ],
    [
      'the earlier delivery for an undone claim, until that lead is deleted',
      [
        credit(1, 11),
        credit(2, 12),
        delivery(3, 'a'),
        undo(4, 11),
        credit(5, 13),
        remove(6, 'a'),
        delivery(7, 'b'),
      ],
      { 12: 'b', 13: null },
    ],
  ])('assigns each claim its replacement: %s', (_, entries, expected) => {
    const credited = creditedClaims(entries);
    const found = credited.map(({ claim_id, delivery: of }) => [claim_id, of?.lead_id ?? null]);
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(credited.map(({ at }) => at)).toEqual(credited.map(({ at }) => at).toSorted());
  });

  it('shows when a claim was credited and when it was compensated', () => {
    expect(creditedClaims([credit(1, 11), delivery(3, 'a')])).toEqual([
      {
        claim_id: 11,
        at: new Date(1).toISOString(),
        order_id: 1,
        delivery: { lead_id: 'a', at: new Date(3).toISOString() },
      },
    ]);
  });

  it('lists each mismatch, except for replacements that are being assigned', () => {
    const stored = {
      order_id: 1,
      buyer: BUYER,
      reimbursement_pending: 0,
      reimbursement_delivered: 1,
      replacement_reservations: { 'a.1': 1 },
    };
    const records = {
      buyers: [{ buyer: BUYER, balance_count: 1 }],
      orders: [stored],
      entries: [credit(1, 11), delivery(2, 'a'), credit(3, 12, { order_id: null })],
      assignments: new Map([['a', { order_id: 1, sequence: 1 }]]),
    };
    const of = (changes: Partial<typeof records>) => checkReplacements({ ...records, ...changes });
    expect(of({})).toEqual([]);
    expect(of({ orders: [{ ...stored, reimbursement_pending: 2 }] })).toEqual([
      { of: 'owed by order 1', stored: 2, entries: 0 },
    ]);
    expect(of({ buyers: [{ buyer: BUYER, balance_count: 3 }] })).toEqual([
      { of: `balance of buyer ${BUYER}`, stored: 3, entries: 1 },
    ]);
    expect(of({ entries: [] })).toEqual([
      { of: `balance of buyer ${BUYER}`, stored: 1, entries: 0 },
      { of: 'delivered by order 1', stored: 1, entries: 0 },
    ]);
    const underWay = { entries: [credit(1, 11), credit(3, 12, { order_id: null })] };
    for (const assignment of [undefined, { order_id: 2, sequence: 1 }, { order_id: 1, sequence: 2 }])
      expect(of({ ...underWay, assignments: new Map(assignment && [['a', assignment]]) })).toEqual([]);
  });
});

const order = (
  order_id: number,
  changes: Partial<Pick<Order, 'leads_received' | 'reimbursement_pending' | 'deleted_at'>> = {},
) => ({
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
    { claimed: order(1), current: order(1), target: 1, why: 'a completed order reopens' },
    { claimed: order(1, open), current: order(1, open), target: 1, why: 'the claimed order is open' },
    { claimed: order(1), current: order(2, open), target: 2, why: 'another order is open' },
    {
      claimed: order(1),
      current: order(2, { reimbursement_pending: 1 }),
      target: 2,
      why: 'open for a replacement',
    },
    { claimed: order(1), current: order(2), target: 1, why: 'the other order is completed too' },
    { claimed: order(1), current: order(2, deleted), target: 1, why: 'the other order is deleted' },
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
