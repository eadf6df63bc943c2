/** The stores of list views and the order cache, on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as listViewStore from '#functions/data/orders/list-view-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import { changeComments, changeLimit, createOrder } from '#functions/domain/orders/orders';
import { addBuyers, adminOn } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

describe('list views', () => {
  const [MONDAY, TUESDAY, WEDNESDAY] = [
    '2026-03-02T09:00:00Z',
    '2026-03-03T09:00:00Z',
    '2026-03-04T09:00:00Z',
  ];

  it('store the last viewed delivery, and when a lead was first viewed', async () => {
    const table = memoryTable();
    expect(await listViewStore.viewedUpTo({ table }, 1)).toBeUndefined();
    expect(await listViewStore.firstAfter({ table }, 1, MONDAY)).toBeUndefined();
    await listViewStore.opened({ table }, 1, TUESDAY, '2026-03-03T10:00:00Z');
    await listViewStore.opened({ table }, 1, MONDAY, '2026-03-02T10:00:00Z');
    expect(await listViewStore.viewedUpTo({ table }, 1)).toBe(TUESDAY);
    expect(await listViewStore.firstAfter({ table }, 1, MONDAY)).toBe('2026-03-02T10:00:00Z');
    expect(await listViewStore.firstAfter({ table }, 1, '2026-03-02T09:00:01Z')).toBe('2026-03-03T10:00:00Z');
    expect(await listViewStore.firstAfter({ table }, 1, WEDNESDAY)).toBeUndefined();
    expect(await listViewStore.viewedUpTo({ table }, 2)).toBeUndefined();
  });

  it('keep the first of two views with the same leads', async () => {
    const table = memoryTable();
    await listViewStore.opened({ table }, 1, MONDAY, '2026-03-02T10:00:00Z');
    await listViewStore.opened({ table }, 1, MONDAY, '2026-03-02T11:00:00Z');
    expect(await listViewStore.firstAfter({ table }, 1, MONDAY)).toBe('2026-03-02T10:00:00Z');
  });
});

describe('the order cache', () => {
  const TEN_MINUTES_MS = 600_000;

  /** Three buyers, each with an order. */
  async function threeOrders() {
    const table = memoryTable();
    await addBuyers(
      table,
      ['a', 'b', 'c'].map((id) => ({ id, probability: 10, limit: 5 })),
    );
    let now = new Date('2026-03-02T09:00:00Z');
    const cache = createOrderCache(table, () => now);
    /** Changes counters without the store, so the version stays the same. */
    const put = async (orderId: number, fields: object) => {
      const item = await table.get(keys.order(orderId));
      await table.put({ put: { ...item, ...fields } as never });
    };
    const wait = (ms: number) => {
      now = new Date(now.getTime() + ms);
    };
    const limits = async () =>
      (await cache.all()).orders
        .toSorted((one, other) => one.order_id - other.order_id)
        .map(({ lead_limit }) => lead_limit);
    return { table, admin: adminOn(table), cache, put, wait, limits };
  }

  it('has every order with its comments, and notices changes', async () => {
    const { admin, cache, limits } = await threeOrders();
    await changeComments(admin, 'test', 2, 'pays late');
    expect((await cache.all()).comments).toEqual(new Map([[2, 'pays late']]));
    expect(await limits()).toEqual([5, 5, 5]);
    await changeLimit(admin, 'test', 'c', 9);
    expect(await limits()).toEqual([5, 5, 9]);
    await changeComments(admin, 'test', 2, 'pays');
    expect((await cache.all()).comments).toEqual(new Map([[2, 'pays']]));
  });

  it('rereads the counters of open orders, and of full orders only with their shard', async () => {
    const { cache, put, wait } = await threeOrders();
    await put(1, { leads_received: 5 });
    const received = async () => (await cache.some([1, 2])).get(1)?.leads_received;
    const open = async () => (await cache.some([1, 2])).get(2)?.leads_received;
    expect([await received(), await open()]).toEqual([5, 0]);
    await put(1, { leads_received: 4 });
    await put(2, { leads_received: 3 });
    expect([await received(), await open()]).toEqual([5, 3]);
    wait(TEN_MINUTES_MS - 1);
    expect(await received()).toBe(5);
    wait(1);
    expect(await received()).toBe(4);
  });

  it('rereads a full order with a reservation, which a release may open', async () => {
    const { cache, put } = await threeOrders();
    await put(1, { leads_received: 5, reservations: { 'lead.1': 5 } });
    const received = async () => (await cache.some([1])).get(1)?.leads_received;
    expect(await received()).toBe(5);
    await put(1, { leads_received: 4, reservations: {} });
    expect(await received()).toBe(4);
  });

  it('returns the existing ones of the requested orders', async () => {
    const { admin, cache } = await threeOrders();
    expect([...(await cache.some([3, 99])).keys()]).toEqual([3]);
    await orderStore.get(admin, 1);
    await addBuyers(admin.table, [{ id: 'd', probability: 10 }]);
    await createOrder(admin, 'test', { buyerId: 'd', leadLimit: 5, balance: 0 });
    expect([...(await cache.some([4])).keys()]).toEqual([4]);
    expect((await cache.all()).orders).toHaveLength(4);
  });
});
