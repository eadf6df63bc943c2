/** E-mails to buyers: which are due, and their links, which switch one kind for one buyer. */

import { describe, expect, it } from 'vitest';
import { type Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { type Order } from '#functions/data/orders/order';
import { type BuyerDay, EMPTY_BUYER_DAY } from '#functions/data/statistics/statistics-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import {
  bySubscriptionToken,
  type RaiseBuyerNotificationsContext,
  raiseBuyerNotifications,
  unsubscribeToken,
} from '#functions/domain/orders/notification-preferences';
import { NOTIFICATION_KINDS } from '#shared/rules/constants';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { putStatistics } from '#test/factories/items';
import { anOrder, orderCacheOf } from '#test/factories/orders';
import { changedTable, itemsOf, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const BUYER = aBuyer({ buyer: 7, notify_weekly_statement: true, notify_order_nearly_full: true });

interface World {
  now: Date;
  /** Berlin days on which the buyer received a lead. */
  readonly busy: Set<string>;
  order: Order;
  /** The buyer's statistics in total. */
  readonly orders?: readonly Order[];
  readonly buyer?: Buyer;
  /** Leads received on each of those days. */
  readonly day?: BuyerDay;
}
const DAY: BuyerDay = { ...EMPTY_BUYER_DAY, originals: 1 };

/** Buyers, orders and statistics come from the test's world; sent notices are in the table. */
function worldTable(table: Table, { order, orders = [order], buyer = BUYER, busy, day = DAY }: World): Table {
  const days = memoryTable();
  return changedTable(table, {
    queryAll: async (query) => {
      switch (query.partition) {
        case keys.buyers():
          return [{ ...buyer }];
        case keys.pool():
          return [{ ...aPoolEntry({ buyer: 7, order_id: order.order_id }) }];
        case keys.buyerOrders(7):
          return orders.map(({ order_id }) => ({ order_id }));
        case keys.statistics():
          await putStatistics(days, new Map([...busy].map((one) => [one, new Map([[7, day]])])));
          return days.queryAll(query);
        default:
          return table.queryAll(query);
      }
    },
    getMany: async (wanted, options) => {
      const found = wanted.map(({ sk }) => orders.find(({ order_id }) => keys.order(order_id).sk === sk));
      return found.every((one) => one !== undefined)
        ? found.map((one) => ({ ...one }))
        : table.getMany(wanted, options);
    },
  });
}

const depsOn = (stored: Table, world: World): RaiseBuyerNotificationsContext => {
  const table = worldTable(stored, world);
  return {
    table,
    orderCache: orderCacheOf([world.order]),
    runtime: { ...quietRuntime, now: () => world.now },
  };
};

describe('due e-mails', () => {
  const MONDAY = new Date('2026-10-19T06:00:00Z');
  const worldOf = (order = anOrder()): World => ({ now: MONDAY, busy: new Set(['2026-10-16']), order });
  const raised = async (changes: Partial<World>, world = worldOf()) => {
    const table = memoryTable();
    const count = await raiseBuyerNotifications(depsOn(table, { ...world, ...changes }));
    const notifications: string[] = [];
    for await (const items of table.scan())
      for (const { sk, about, order_id } of items)
        if (sk === 'NOTIFICATION') notifications.push([about, order_id].join(' '));
    expect(notifications).toHaveLength(count);
    return notifications.toSorted();
  };
  const dayWith = (part: object): Partial<World> => ({ day: { ...EMPTY_BUYER_DAY, ...part } });
  const NOTHING = { originals: 0, reimbursements: 0, claims: 0 };

  it('are of both kinds, for subscribed buyers', async () => {
    const full = worldOf(anOrder({ leads_received: 8 }));
    expect(await raised({}, full)).toEqual(['order_nearly_full 12', 'weekly_statement 12']);
    const only = (changes: Partial<Buyer>) => ({ buyer: { ...BUYER, ...changes } });
    expect(await raised(only({ notify_weekly_statement: false }), full)).toEqual(['order_nearly_full 12']);
    expect(await raised(only({ notify_order_nearly_full: false }), full)).toEqual(['weekly_statement 12']);
    expect(await raised(only({ deleted_at: '2026-10-01T00:00:00.000Z' }), full)).toEqual([]);
  });

  it('are written from Monday at seven, or on Tuesday if Monday was missed', async () => {
    for (const [now, count] of [
      ['2026-10-19T04:59:59Z', 0],
      ['2026-10-19T05:00:00Z', 1],
      ['2026-10-19T21:59:59Z', 1],
      ['2026-10-19T22:00:00Z', 1],
      ['2026-10-20T21:59:59Z', 1],
      ['2026-10-20T22:00:00Z', 0],
      ['2026-10-25T12:00:00Z', 0],
    ] as const)
      expect(await raised({}, { ...worldOf(), now: new Date(now) }), now).toHaveLength(count);
  });

  it('are written once for the same week on Tuesday', async () => {
    const table = memoryTable();
    const at = (now: string) => raiseBuyerNotifications(depsOn(table, { ...worldOf(), now: new Date(now) }));
    expect(await at('2026-10-19T05:00:00Z')).toBe(1);
    expect(await at('2026-10-20T05:00:00Z')).toBe(0);
    const tuesday = new Date('2026-10-20T05:00:00Z');
    for (const [day, count] of [
      ['2026-10-11', 0],
      ['2026-10-12', 1],
      ['2026-10-18', 1],
      ['2026-10-19', 0],
    ] as const)
      expect(await raised({ now: tuesday, busy: new Set([day]) }), day).toHaveLength(count);
  });

  it.each<readonly [number, object]>([
    [0, NOTHING],
    [1, { ...NOTHING, originals: 1 }],
    [1, { ...NOTHING, reimbursements: 1 }],
    [1, { originals: 1, reimbursements: 1, claims: 0 }],
    [1, { ...NOTHING, claims: 1 }],
  ])('cover only weeks with activity: %i for %o', async (count, part) => {
    expect(await raised(dayWith(part))).toHaveLength(count);
  });

  it('link to the newest order with a working link', async () => {
    const all = [
      anOrder({ order_id: 1 }),
      anOrder({ order_id: 2, created_at: MONDAY.toISOString() }),
      anOrder({ order_id: 3, token: '' }),
    ];
    expect(await raised({ orders: all })).toEqual(['weekly_statement 2']);
    const old = all.map((order) => ({ ...order, created_at: '2026-01-01T00:00:00.000Z' }));
    const expiring = { buyer: { ...BUYER, link_days: 30 } };
    expect(await raised({ ...expiring, orders: [old[0]!, all[1]!] })).toEqual(['weekly_statement 2']);
    expect(await raised({ ...expiring, orders: [all[1]!, old[2]!, old[0]!] })).toEqual([
      'weekly_statement 2',
    ]);
    expect(await raised({ ...expiring, orders: old })).toEqual([]);
  });
});

describe('the link of an e-mail', () => {
  const key = new Uint8Array(32).fill(1);
  const setUp = async () => {
    const table = memoryTable();
    for (const buyer of [7, 8])
      await table.put({
        put: { ...keys.buyer(buyer), ...aBuyer({ buyer, buyer_email: `${buyer}@example.org` }) },
      });
    const deps = {
      table,
      runtime: quietRuntime,
    };
    const stored = async (buyer: number) => buyerStore.get(deps, buyer).then((one) => one!);
    return { table, deps, stored };
  };

  it('switches only its kind of notification of its buyer, any number of times', async () => {
    const { deps, stored, table } = await setUp();
    const before = await stored(7);
    const other = await stored(8);
    const token = unsubscribeToken(key, before, 'claim_decided');
    const call = (on?: boolean, text = token) =>
      bySubscriptionToken(deps, key, { token: text, address: '::1', ...(on !== undefined && { on }) });
    expect(await call()).toEqual({ kind: 'claim_decided', on: true });
    for (let time = 0; time < 2; time += 1)
      expect(await call(false)).toEqual({ kind: 'claim_decided', on: false });
    expect(await stored(7)).toEqual({ ...before, notify_claim_decided: false, version: before.version + 1 });
    expect(await call(true)).toEqual({ kind: 'claim_decided', on: true });
    expect(await stored(8)).toEqual(other);
    const trail = async () =>
      (await itemsOf(table)).flatMap((item) =>
        item.entity === 'buyer' ? [[item.who, item.action, item.label]] : [],
      );
    expect(await trail()).toEqual([
      ['email_link', 'updated', before.buyer_id],
      ['email_link', 'updated', before.buyer_id],
    ]);

    const [number, , ...rest] = token.split('-');
    const signed = rest.join('-');
    for (const forged of [
      ...NOTIFICATION_KINDS.slice(1).map((kind) => `${number}-${kind}-${signed}`),
      `8-claim_decided-${signed}`,
      `9-claim_decided-${signed}`,
      `7-claim_decided-${signed.slice(0, 8)}`,
      unsubscribeToken(new Uint8Array(32), before, 'claim_decided'),
      `7-password-${signed}`,
      `x${token}`,
      `${token}.`,
      'x',
    ])
      await expect(call(false, forged)).rejects.toMatchObject({ kind: 'not_found' });
    await table.put({ put: { ...keys.buyer(7), ...before, buyer_email: 'new@example.org' } });
    await expect(call(false)).rejects.toMatchObject({ kind: 'not_found' });
    await table.put({ put: { ...keys.buyer(7), ...before, deleted_at: '2026-01-01T00:00:00.000Z' } });
    await expect(call(false)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('has a rate limit', async () => {
    const { deps, stored } = await setUp();
    const token = unsubscribeToken(key, await stored(7), 'weekly_statement');
    const call = () => bySubscriptionToken(deps, key, { token, address: '::1' });
    for (let time = 0; time < 120; time += 1) await call();
    await expect(call()).rejects.toMatchObject({ kind: 'too_many', retryAfter: expect.any(Number) });
  });
});
