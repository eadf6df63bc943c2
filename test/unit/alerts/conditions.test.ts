/** Alert conditions, each at its threshold and above. */

import { describe, expect, it } from 'vitest';
import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Order } from '#functions/data/orders/order';
import type { Replacement } from '#functions/data/orders/replacement';
import { type Day, EMPTY_BUYER_DAY } from '#functions/data/statistics/statistics-store';
import { indexed, keys } from '#functions/data/table/keys';
import type { Query, Table } from '#functions/data/table/table';
import { findConditions, type WatchedKind } from '#functions/domain/alerts/conditions';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { aNewClaim } from '#test/factories/claims';
import { putStatistics } from '#test/factories/items';
import { aReceivedLead } from '#test/factories/leads';
import { anOrder, orderCacheOf } from '#test/factories/orders';
import { aPerson } from '#test/factories/people';
import { adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTableWith } from '#test/harness/memory-table';

/** Wednesday, half past midnight in Berlin. */
const NOW = new Date('2026-11-24T23:30:00.000Z');
const OLD = '2026-11-01T00:00:00.000Z';
const day = (part: object): Day => new Map([[7, { ...EMPTY_BUYER_DAY, ...part }]]);

interface World {
  readonly entries?: readonly Partial<PoolEntry>[];
  readonly orders?: readonly Order[];
  readonly days?: ReadonlyMap<string, Day>;
  /** When the pending leads arrived. */
  readonly pending?: readonly string[];
  readonly claims?: readonly { readonly claim_id: number; readonly created_at: string }[];
  readonly owed?: Partial<Buyer>;
  readonly credits?: readonly Replacement[];
}

/** Records the table's requests in `asked`: each partition with a condition on the sort key. */
async function depsOf(
  { entries = [{}], orders = [anOrder({ created_at: OLD })], ...world }: World,
  asked: unknown[] = [],
) {
  const { pending = [], claims = [], credits = [], days = new Map<string, Day>() } = world;
  const table = await memoryTableWith([
    ...entries.map((entry) => ({ ...keys.poolEntry(entry.buyer ?? 7), ...aPoolEntry(entry) })),
    { ...keys.buyer(7), ...aBuyer({ buyer_id: 'acme', ...world.owed }) },
    ...credits.map((credit) => ({
      ...keys.replacement(7, credit.at, credit.kind, String(credit.claim_id)),
      ...credit,
    })),
    ...pending.map((received_at, at) => ({
      ...keys.lead(`lead-${at}`),
      ...aReceivedLead({ lead_id: `lead-${at}`, received_at, status: 'pending' }),
      gsi1pk: indexed.pending(),
      gsi1sk: indexed.at(received_at, `lead-${at}`),
    })),
  ]);
  await putStatistics(table, days);
  for (const claim of claims) {
    const filed = aNewClaim({ ...claim, lead_id: `lead-${claim.claim_id}` });
    await table.transact(claimStore.filed(filed, aPerson()).items);
  }
  const note = ({ partition, sort }: Query) => {
    if (partition !== keys.sources()) asked.push(sort === undefined ? [partition] : [partition, sort]);
  };
  return depsOn(
    changedTable(table, {
      query: (query) => {
        note(query);
        return table.query(query);
      },
      queryAll: (query) => {
        note(query);
        return table.queryAll(query);
      },
    }),
    orders,
  );
}

/** Evaluates the conditions on a table with these orders. */
function depsOn(table: Table, orders: readonly Order[] = []) {
  return {
    ...adminOn(table, { ...quietRuntime, now: () => NOW }),
    orderCache: orderCacheOf(orders),
  };
}

const find = async (kind: WatchedKind, threshold: number, world: World = {}) =>
  findConditions(await depsOf(world), new Map([[kind, threshold]]));

describe('disabled alerts', () => {
  it('are not evaluated and read nothing', async () => {
    const asked: unknown[] = [];
    expect(await findConditions(await depsOf({}, asked), new Map())).toEqual([]);
    expect(await findConditions(await depsOf({}, asked), new Map([['source_silent', 0]]))).toEqual([]);
    expect(asked).toEqual([]);
    await findConditions(await depsOf({}, asked), new Map([['order_full', 0]]));
    expect(asked).toEqual([[keys.pool()]]);
  });
});

describe('an order', () => {
  const filled = (leads_received: number, changes: Partial<Order> = {}) => ({
    orders: [anOrder({ lead_limit: 10, leads_received, created_at: OLD, ...changes })],
  });
  const about = { subject: '12', buyerId: 'acme' };

  it('is nearly full from its percentage on, and full without capacity', async () => {
    expect(await find('order_nearly_full', 80, filled(7))).toEqual([]);
    expect(await find('order_nearly_full', 80, filled(8))).toMatchObject([
      { ...about, kind: 'order_nearly_full' },
    ]);
    expect(await find('order_nearly_full', 80, filled(10))).toEqual([]);
    expect(await find('order_full', 0, filled(9))).toEqual([]);
    expect(await find('order_full', 0, filled(10))).toMatchObject([{ ...about, kind: 'order_full' }]);
    expect(await find('order_full', 0, filled(10, { reimbursement_pending: 1 }))).toEqual([]);
    const both = new Map([
      ['order_full', 0],
      ['order_nearly_full', 80],
    ] as const);
    expect((await findConditions(await depsOf(filled(9)), both)).map(({ kind }) => kind)).toEqual([
      'order_nearly_full',
    ]);
  });

  it.each<readonly [string, World]>([
    ['its buyer is paused', { entries: [{ active: false }], ...filled(10) }],
    ['its buyer has no order', { entries: [{ order_id: null }], ...filled(10) }],
    ['it is deleted', filled(10, { deleted_at: OLD })],
    ['it does not exist', { orders: [] }],
  ])('is ignored if %s', async (_, world) => {
    expect(await find('order_full', 0, world)).toEqual([]);
  });
});

describe('a buyer without leads', () => {
  const LAST = new Map([['2026-11-20', day({ claims: 4 })]]);

  it('has received neither originals nor replacements for the number of days', async () => {
    const asked: unknown[] = [];
    const kinds = new Map([['buyer_without_leads', 5]] as const);
    expect(await findConditions(await depsOf({ days: LAST }, asked), kinds)).toEqual([
      { kind: 'buyer_without_leads', subject: '7', buyerId: 'acme', days: 5 },
    ]);
    expect(asked).toContainEqual([
      keys.statistics(),
      { from: '2026-11-20', to: expect.stringContaining('2026-11-25') },
    ]);
    for (const part of [{ originals: 1 }, { reimbursements: 1 }])
      expect(await find('buyer_without_leads', 5, { days: new Map([['2026-11-21', day(part)]]) })).toEqual(
        [],
      );
    const other = new Map([['2026-11-21', new Map([[8, { ...EMPTY_BUYER_DAY, originals: 1 }]])]]);
    expect(await find('buyer_without_leads', 5, { days: other })).toHaveLength(1);
  });

  it('has had an order with capacity and a weight for as long', async () => {
    const made = (created_at: string) => ({ orders: [anOrder({ created_at })] });
    // 20 and 21 November in Berlin.
    expect(await find('buyer_without_leads', 5, made('2026-11-20T22:59:59.000Z'))).toHaveLength(1);
    expect(await find('buyer_without_leads', 5, made('2026-11-20T23:00:00.000Z'))).toEqual([]);
    const full = { orders: [anOrder({ leads_received: 10, created_at: OLD })] };
    expect(await find('buyer_without_leads', 5, full)).toEqual([]);
    expect(await find('buyer_without_leads', 5, { entries: [{ probability: 0 }] })).toEqual([]);
  });
});

describe('pending items', () => {
  it('include leads pending for the number of hours', async () => {
    const asked: unknown[] = [];
    const kinds = new Map([['leads_waiting', 24]] as const);
    expect(await findConditions(await depsOf({}, asked), kinds)).toEqual([]);
    expect(asked).toEqual([
      [indexed.pending(), { from: expect.any(String), to: '2026-11-23T23:30:00.000Z' }],
    ]);
    const pending = [OLD, '2026-11-02T00:00:00.000Z', NOW.toISOString()];
    const found = { kind: 'leads_waiting', subject: '', count: 2, more: false, oldest: OLD, hours: 24 };
    expect(await find('leads_waiting', 24, { pending })).toEqual([found]);
    const { table } = await depsOf({ pending });
    const cut = changedTable(table, {
      query: async (query) => ({ ...(await table.query(query)), next: { gsi1sk: OLD } }),
    });
    expect(await findConditions(depsOn(cut), kinds)).toEqual([{ ...found, more: true }]);
  });

  it('include claims, by the age of the oldest in working days', async () => {
    const filed = (claim_id: number, created_at: string) => ({ claim_id, created_at });
    // A Friday; the next Wednesday is the third working day.
    const claims = [
      filed(2001, NOW.toISOString()),
      filed(1007, NOW.toISOString()),
      filed(1005, '2026-11-20T12:00:00.000Z'),
    ];
    expect(await find('claims_waiting', 2, { claims })).toEqual([
      { kind: 'claims_waiting', subject: '', open: 3, oldest: '2026-11-20', days: 3 },
    ]);
    expect(await find('claims_waiting', 3, { claims })).toEqual([]);
    expect(await find('claims_waiting', 2)).toEqual([]);
    const asked: unknown[] = [];
    await findConditions(await depsOf({ claims }, asked), new Map([['claims_waiting', 2]]));
    const rows = keys.claimRows({ all: true }, 'pending');
    const block = keys.claimBlock(4);
    expect(asked).toEqual([[keys.claimCounts({ all: true })], [rows, { from: block, to: block }]]);
    const { table } = await depsOf({ claims });
    const waiting = async () => findConditions(depsOn(table), new Map([['claims_waiting', 2]]));
    // Those of an earlier block are decided.
    await table.update({
      key: keys.claimCount({ all: true }, 0),
      update: 'SET pending_1 = :none',
      values: { ':none': 0 },
    });
    expect(await waiting()).toHaveLength(1);
    // Decided or erased after they were counted.
    await table.delete({ delete: keys.claim(1005) });
    expect(await waiting()).toEqual([]);
    await table.delete({ delete: keys.claimRowBlock({ all: true }, 'pending', 4) });
    expect(await waiting()).toEqual([]);
  });
});

describe('owed replacements', () => {
  const credit = (claim_id: number, at: string, kind: Replacement['kind'] = 'credit'): Replacement => ({
    buyer: 7,
    kind,
    claim_id,
    at,
    amount: 1,
    order_id: 12,
    lead_id: `lead-${claim_id}`,
    balance_after: null,
    owed_after: null,
  });
  const EIGHT_DAYS_AGO = '2026-11-16T23:29:59.000Z';
  const world = (changes: Partial<World> = {}): World => ({
    owed: { balance_count: 2 },
    credits: [credit(1, EIGHT_DAYS_AGO), credit(2, NOW.toISOString())],
    orders: [anOrder({ reimbursement_pending: 1 })],
    ...changes,
  });

  it('include balance and order, with the age of the oldest credit', async () => {
    expect(await find('replacements_owed', 8, world())).toEqual([
      { kind: 'replacements_owed', subject: '7', buyerId: 'acme', owed: 3, since: EIGHT_DAYS_AGO },
    ]);
    expect(await find('replacements_owed', 9, world())).toEqual([]);
    const deleted = world({ orders: [anOrder({ reimbursement_pending: 1, deleted_at: OLD })] });
    expect(await find('replacements_owed', 8, deleted)).toMatchObject([{ owed: 2 }]);
    expect(await find('replacements_owed', 8, world({ entries: [] }))).toMatchObject([{ owed: 2 }]);
    expect(await find('replacements_owed', 8, world({ owed: { balance_count: 0 } }))).toMatchObject([
      { owed: 1 },
    ]);
  });

  it.each<readonly [string, Partial<World>]>([
    ['nothing is owed', { owed: { balance_count: 0 }, orders: [anOrder()] }],
    ['the buyer is deleted', { owed: { balance_count: 2, deleted_at: OLD } }],
    ['nothing was credited', { credits: [] }],
    ['the oldest is not old', { credits: [credit(2, NOW.toISOString())] }],
  ])('are ignored if %s', async (_, changes) => {
    expect(await find('replacements_owed', 8, world(changes))).toEqual([]);
  });

  it('exclude delivered replacements', async () => {
    const credits = [
      credit(1, EIGHT_DAYS_AGO),
      credit(2, '2026-11-20T00:00:00.000Z'),
      { ...credit(9, '2026-11-21T00:00:00.000Z', 'delivery'), claim_id: null },
    ];
    expect(await find('replacements_owed', 8, world({ credits }))).toEqual([]);
    expect(await find('replacements_owed', 3, world({ credits }))).toMatchObject([
      { since: '2026-11-20T00:00:00.000Z' },
    ]);
  });
});
