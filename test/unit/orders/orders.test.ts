/** Opening, changing, deleting and restoring orders, on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { ingest } from '#functions/domain/distribution/distribution';
import { deleteLead } from '#functions/domain/leads/leads';
import { deleteBuyerAndLinks, regenerateToken, switchOffLink } from '#functions/domain/orders/links';
import {
  changeLimit,
  createOrder,
  deleteOrder,
  restoreLastDeletedOrder,
} from '#functions/domain/orders/orders';
import { aReceivedLead } from '#test/factories/leads';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  changedTable,
  distributionOn,
  interruptedTable,
  itemsOf,
  leadsAmong,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

/** Every clock read is a minute later, so that deletions are ordered. */
function laterOn(table: Table) {
  let minute = 0;
  return adminOn(table, { ...quietRuntime, now: () => new Date(Date.UTC(2026, 2, 2, 9, minute++)) });
}

/** A buyer with an order of ten leads, and this many replacements in its balance. */
async function buyerWithBalance(balance: number) {
  const table = memoryTable();
  await addBuyers(table, [{ id: 'a', probability: 60, limit: 10 }]);
  const admin = laterOn(table);
  if (balance > 0) {
    const order = (await orderStore.get(admin, 1))!;
    await put(table, { ...order, reimbursement_pending: balance });
    await deleteOrder(admin, 'test', 'a', 1);
  }
  const buyer = async () => (await buyerStore.byId(admin, 'a'))!;
  const entry = async () => (await poolStore.entry(admin, 1))!;
  const order = async (id: number) => (await orderStore.get(admin, id))!;
  return { table, admin, buyer, entry, order };
}

/** Sets counters of an order as if its claims had been approved. */
async function put(table: Table, { order_id, reimbursement_pending }: Order): Promise<void> {
  const item = (await itemsOf(table)).find((one) => one.order_id === order_id && one.token !== undefined);
  await table.put({ put: { ...item, reimbursement_pending } as never });
}

/** The audit entries about an order, newest first. */
const auditOf = async (admin: ReturnType<typeof adminOn>, orderId: number) =>
  (await auditStore.list(admin, { entity: 'order', entityId: String(orderId) }, { limit: 20 })).entries;

/** Replacement entries: kind, number, order, and the balance afterwards. */
const movesIn = async (table: Table) =>
  (await replacementStore.ofBuyer({ table }, 1)).map(({ kind, amount, order_id, balance_after }) => [
    kind,
    amount,
    order_id,
    balance_after,
  ]);

/** Ingests the one lead that fits into the order. */
const fill = (table: Table) => ingest(distributionOn(table), aPerson(), undefined);

/** A buyer with a full first order and an open second order of five leads. */
async function buyerWithTwoOrders() {
  const made = await buyerWithBalance(0);
  await changeLimit(made.admin, 'test', 'a', 1);
  await fill(made.table);
  await createOrder(made.admin, 'test', { buyerId: 'a', leadLimit: 5, balance: 0 });
  return made;
}

describe('opening an order', () => {
  it('moves replacements from the balance to the order, and records the move', async () => {
    const { admin, table, buyer, entry } = await buyerWithBalance(3);
    expect(await buyer()).toMatchObject({ balance_count: 3, active: false });
    const order = await createOrder(admin, 'test', { buyerId: 'a', leadLimit: 5, balance: 2 });
    expect(order).toMatchObject({ order_id: 2, buyer_order_number: 2, reimbursement_pending: 2 });
    expect(await buyer()).toMatchObject({ balance_count: 1, active: true, order_count: 2, last_order_id: 2 });
    expect(await entry()).toMatchObject({ order_id: 2, has_capacity: true, active: true });
    expect(await movesIn(table)).toEqual([
      ['return', 3, 1, 3],
      ['attach', 2, 2, 1],
    ]);
  });

  it('rejects more replacements than the balance has', async () => {
    const { admin, buyer } = await buyerWithBalance(3);
    await expect(
      createOrder(admin, 'test', { buyerId: 'a', leadLimit: 5, balance: 4 }),
    ).rejects.toMatchObject({
      code: 'invalid_balance',
      fields: { balance_amount: 'Only 3 replacements are in the balance' },
    });
    expect(await buyer()).toMatchObject({ balance_count: 3, order_count: 1 });
  });

  it('rejects replacements from the balance of a postpay buyer, and opens without them', async () => {
    const { admin, table, buyer } = await buyerWithBalance(3);
    await table.transact([buyerStore.changed(await buyer(), { buyer_type: 'postpay' })]);
    await expect(
      createOrder(admin, 'test', { buyerId: 'a', leadLimit: 5, balance: 1 }),
    ).rejects.toMatchObject({
      code: 'invalid_balance',
      fields: { balance_amount: 'A postpay order delivers no replacements' },
    });
    expect(await createOrder(admin, 'test', { buyerId: 'a', leadLimit: 5, balance: 0 })).toMatchObject({
      buyer_type: 'postpay',
      reimbursement_pending: 0,
    });
    expect(await replacementStore.ofBuyer({ table }, 1)).toHaveLength(1);
  });
});

describe('the audit trail', () => {
  const trailOf = async (admin: ReturnType<typeof adminOn>, orderId: number) =>
    (await auditOf(admin, orderId)).map(({ who, action, changes }) => [
      who,
      action,
      Object.fromEntries(changes.map(({ field, from, to }) => [field, [from, to]])),
    ]);

  it('of a new order contains all settings', async () => {
    const { admin, table, buyer } = await buyerWithBalance(3);
    await createOrder(admin, 'anna', { buyerId: 'a', leadLimit: 5, balance: 2, renewal: 'ask' });
    const made = { buyer_id: [null, 'a'], lead_limit: [null, 5], balance_amount: [null, 2] };
    expect(await trailOf(admin, 2)).toEqual([['anna', 'created', { ...made, renewal: [null, 'ask'] }]]);
    await deleteOrder(admin, 'test', 'a', 2);
    await table.transact([buyerStore.changed(await buyer(), { buyer_type: 'postpay' })]);
    const caps = { daily_cap: 2, weekly_cap: null, ends_on: '2026-04-01' };
    const third = { buyerId: 'a', leadLimit: 5, balance: 0, caps };
    expect((await createOrder(admin, 'anna', third)).pace).toMatchObject(caps);
    expect(await trailOf(admin, 3)).toEqual([
      [
        'anna',
        'created',
        { ...made, balance_amount: [null, 0], daily_cap: [null, 2], ends_on: [null, '2026-04-01'] },
      ],
    ]);
  });

  it('of limit and caps contains only the changes', async () => {
    const { admin } = await buyerWithBalance(0);
    await changeLimit(admin, 'anna', 'a', 12);
    await changeLimit(admin, 'anna', 'a', 12, { caps: { weekly_cap: 4 } });
    await changeLimit(admin, 'anna', 'a', 11, { expected: { lead_limit: 12 }, caps: { weekly_cap: 4 } });
    await changeLimit(admin, 'anna', 'a', 11);
    expect((await trailOf(admin, 1)).filter(([who]) => who === 'anna')).toEqual([
      ['anna', 'limit_changed', { lead_limit: [12, 11] }],
      ['anna', 'caps_changed', { weekly_cap: [null, 4] }],
      ['anna', 'limit_changed', { lead_limit: [10, 12] }],
    ]);
  });
});

describe('a concurrent change', () => {
  /** Runs a change between the reads of a call and its write. */
  const meanwhile = (admin: ReturnType<typeof adminOn>, happens: () => Promise<unknown>) => ({
    ...admin,
    table: interruptedTable(admin.table, 'transact', happens),
  });

  it('by a new lead raises the lowest possible limit', async () => {
    const { admin, table, order } = await buyerWithBalance(0);
    const slow = meanwhile(admin, async () => fill(table));
    await expect(changeLimit(slow, 'test', 'a', 0)).rejects.toMatchObject({
      kind: 'invalid',
      message: 'Invalid lead limit: it cannot be below the 1 already delivered',
      fields: { lead_limit: 'At least 1' },
    });
    await expect(changeLimit(admin, 'test', 'a', 0)).rejects.toMatchObject({ code: 'invalid_lead_limit' });
    expect(await order(1)).toMatchObject({ lead_limit: 10, leads_received: 1 });
    expect(await changeLimit(admin, 'test', 'a', 1)).toMatchObject({ lead_limit: 1 });
  });

  it('of the buyer does not prevent a change of the limit', async () => {
    const { admin, table, buyer, entry } = await buyerWithBalance(0);
    const slow = meanwhile(admin, async () =>
      table.transact([poolStore.entryChanged(await entry(), { ...(await entry()), probability: 700 })]),
    );
    expect(await changeLimit(slow, 'test', 'a', 11)).toMatchObject({ lead_limit: 11 });
    expect(await entry()).toMatchObject({ probability: 700 });
    expect(await buyer()).toMatchObject({ active: true });
  });

  it('of another buyer’s weight counts towards the total of 100 %', async () => {
    const { admin, table } = await buyerWithBalance(1);
    const slow = meanwhile(admin, async () => addBuyers(table, [{ id: 'b', probability: 50, limit: 5 }]));
    const order = { buyerId: 'a', leadLimit: 5, balance: 0 };
    await expect(createOrder(slow, 'test', order)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await orderStore.get(admin, 2)).toBeUndefined();
  });
});

describe('a lead in flight', () => {
  const onItsWay = async (table: Table, orderId: number, notes: Partial<Order>) => {
    const item = await table.get(keys.order(orderId));
    await table.put({ put: { ...item, ...notes } as never });
    await leadStore.receive({ table }, aReceivedLead({ lead_id: 'l' }));
  };
  const inUse = { code: 'order_in_use' };

  it('for a full order prevents the next order', async () => {
    const { admin, table } = await buyerWithBalance(0);
    await changeLimit(admin, 'test', 'a', 1);
    await onItsWay(table, 1, { leads_received: 1, reservations: { 'l.1': 1 } });
    const order = { buyerId: 'a', leadLimit: 5, balance: 0 };
    await expect(createOrder(admin, 'test', order)).rejects.toMatchObject(inUse);
  });

  it('prevents reopening an earlier order, by its limit or by restoring it', async () => {
    const { admin, table } = await buyerWithTwoOrders();
    await deleteOrder(admin, 'test', 'a', 2);
    await onItsWay(table, 2, { leads_received: 1, reservations: { 'l.1': 1 } });
    await expect(changeLimit(admin, 'test', 'a', 3)).rejects.toMatchObject(inUse);
    // It does not block the order itself.
    expect(await restoreLastDeletedOrder(admin, 'test', 'a')).toMatchObject({ order_id: 2 });
    await changeLimit(admin, 'test', 'a', 1);
    await deleteOrder(admin, 'test', 'a', 1);
    await expect(restoreLastDeletedOrder(admin, 'test', 'a')).rejects.toMatchObject(inUse);
  });

  it('prevents the deletion of its order only if it is a replacement', async () => {
    const { admin, table } = await buyerWithBalance(0);
    await onItsWay(table, 1, { reimbursement_delivered: 1, replacement_reservations: { 'l.1': 1 } });
    await expect(deleteOrder(admin, 'test', 'a', 1)).rejects.toMatchObject(inUse);
    const other = await buyerWithBalance(0);
    await onItsWay(other.table, 1, { leads_received: 1, reservations: { 'l.1': 1 } });
    await deleteOrder(other.admin, 'test', 'a', 1);
    expect(await other.order(1)).toMatchObject({ deleted_at: expect.any(String) });
  });
});

describe('changing a limit', () => {
  it('keeps an end date in the past, and rejects a new one in the past', async () => {
    const { admin, table, order } = await buyerWithBalance(0);
    await changeLimit(admin, 'test', 'a', 10, { caps: { ends_on: '2026-03-02' } });
    const later = adminOn(table, { ...quietRuntime, now: () => new Date('2026-03-04T09:00:00Z') });
    expect(await changeLimit(later, 'test', 'a', 12)).toMatchObject({ pace: { ends_on: '2026-03-02' } });
    const past = { ends_on: '2026-03-03' };
    await expect(changeLimit(later, 'test', 'a', 12, { caps: past })).rejects.toMatchObject({
      kind: 'invalid',
    });
    await expect(changeLimit(later, 'test', 'a', 9, { expected: { lead_limit: 10 } })).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(await order(1)).toMatchObject({ lead_limit: 12 });
  });

  it('does not activate a buyer that was paused with an open order', async () => {
    const { admin, table, buyer, entry } = await buyerWithBalance(0);
    await table.transact([
      buyerStore.changed(await buyer(), { active: false }),
      poolStore.entryChanged(await entry(), { ...(await entry()), active: false }),
    ]);
    await changeLimit(admin, 'test', 'a', 12);
    expect([await buyer(), await entry()]).toMatchObject([{ active: false }, { active: false }]);
  });

  it('reopens the latest order that is not deleted, and activates its buyer', async () => {
    const { admin, entry, buyer, order } = await buyerWithTwoOrders();
    await deleteOrder(admin, 'test', 'a', 2);
    expect([await entry(), await buyer()]).toMatchObject([{ active: false, order_id: 2 }, { active: false }]);
    expect(await changeLimit(admin, 'test', 'a', 3)).toMatchObject({ order_id: 1, lead_limit: 3 });
    expect(await order(2)).toMatchObject({ lead_limit: 5 });
    expect([await entry(), await buyer()]).toMatchObject([
      { active: true, order_id: 1, has_capacity: true },
      { active: true },
    ]);
  });

  it('reopens an order with capacity from a deleted lead', async () => {
    const { admin, table, entry } = await buyerWithTwoOrders();
    const [lead] = leadsAmong(await itemsOf(table));
    await deleteLead(admin, 'test', lead?.lead_id ?? '');
    expect(await entry()).toMatchObject({ order_id: 2 });
    await deleteOrder(admin, 'test', 'a', 2);
    await changeLimit(admin, 'test', 'a', 2);
    expect(await entry()).toMatchObject({ active: true, order_id: 1, has_capacity: true });
  });

  it('does not activate a buyer if its order stays full', async () => {
    const { admin, entry, buyer } = await buyerWithTwoOrders();
    await deleteOrder(admin, 'test', 'a', 2);
    await changeLimit(admin, 'test', 'a', 1);
    expect([await entry(), await buyer()]).toMatchObject([
      { active: false, order_id: 1, has_capacity: false },
      { active: false },
    ]);
  });

  it('requires an order that is not deleted', async () => {
    const { admin } = await buyerWithBalance(1);
    await expect(changeLimit(admin, 'test', 'a', 3)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('includes the weight of a buyer that it activates', async () => {
    const { admin, table } = await buyerWithTwoOrders();
    await deleteOrder(admin, 'test', 'a', 2);
    await addBuyers(table, [{ id: 'b', probability: 50, limit: 5 }]);
    await expect(changeLimit(admin, 'test', 'a', 3)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('deleting an order', () => {
  it('returns owed replacements, keeps a buyer with another open order active, and is rejected the second time', async () => {
    const { admin, table, buyer, entry, order } = await buyerWithTwoOrders();
    await put(table, { ...(await order(1)), reimbursement_pending: 2 });
    await deleteOrder(admin, 'test', 'a', 1);
    expect(await buyer()).toMatchObject({ active: true, balance_count: 2 });
    expect(await entry()).toMatchObject({ active: true, order_id: 2, has_capacity: true });
    await expect(deleteOrder(admin, 'test', 'a', 1)).rejects.toMatchObject({ code: 'order_already_deleted' });
    expect(await buyer()).toMatchObject({ balance_count: 2 });
  });

  it('is limited to orders of the buyer', async () => {
    const { admin, table, order } = await buyerWithBalance(0);
    await addBuyers(table, [{ id: 'b', probability: 10, limit: 5 }]);
    for (const id of [2, 3])
      await expect(deleteOrder(admin, 'test', 'a', id)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await order(2)).toMatchObject({ deleted_at: null });
  });

  it('and restoring it are audited with their changes', async () => {
    const { admin, table } = await buyerWithBalance(0);
    await deleteOrder(admin, 'anna', 'a', 1);
    await restoreLastDeletedOrder(admin, 'bert', 'a');
    // Nothing was owed, so no replacement moves.
    expect(await replacementStore.ofBuyer({ table }, 1)).toEqual([]);
    const notified = (await auditOf(admin, 1)).filter(({ who }) => who !== 'test');
    expect(notified.map(({ who, action, changes }) => [who, action, changes])).toEqual([
      ['bert', 'restored', [{ field: 'deleted', from: true, to: false }]],
      ['anna', 'deleted', [{ field: 'deleted', from: false, to: true }]],
    ]);
  });
});

describe('the link of an order', () => {
  it('is regenerated for the order that takes leads, even if a later one was deleted', async () => {
    const { admin, order } = await buyerWithTwoOrders();
    await deleteOrder(admin, 'test', 'a', 2);
    await changeLimit(admin, 'test', 'a', 3);
    const before = [(await order(1)).token, (await order(2)).token];
    expect(await regenerateToken(admin, 'test', 'a')).toMatchObject({ order_id: 1 });
    expect((await order(1)).token).not.toBe(before[0]);
    expect((await order(2)).token).toBe(before[1]);
  });

  it('requires a buyer and an order', async () => {
    const { admin, table } = await buyerWithBalance(0);
    await addBuyers(table, [{ id: 'none', probability: 0 }]);
    for (const id of ['nobody', 'none'])
      await expect(regenerateToken(admin, 'test', id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is revoked once for each order of a deleted buyer', async () => {
    const { admin, order } = await buyerWithTwoOrders();
    await switchOffLink(admin, 'test', 1);
    const off = async () =>
      (await Promise.all([1, 2].map((id) => auditOf(admin, id))))
        .flat()
        .filter(({ action }) => action === 'token_switched_off').length;
    expect(await off()).toBe(1);
    await deleteBuyerAndLinks(admin, 'test', 'a');
    expect([(await order(1)).token, (await order(2)).token]).toEqual(['', '']);
    expect(await off()).toBe(2);
  });

  it('is revoked before the buyer is deleted, even for a concurrently opened order', async () => {
    const { admin, table, order, buyer } = await buyerWithBalance(0);
    await changeLimit(admin, 'test', 'a', 1);
    await fill(table);
    let opened = false;
    const withOrderMeanwhile = {
      ...admin,
      table: changedTable(table, {
        queryAll: async (query) => {
          const found = await table.queryAll(query);
          if (!opened && query.partition === keys.buyerOrders(1)) {
            opened = true;
            await createOrder(admin, 'test', { buyerId: 'a', leadLimit: 5, balance: 0 });
          }
          return found;
        },
        transact: async (items) => {
          const result = await table.transact(items);
          if ((await buyer()).deleted_at !== null) throw new Error('Killed');
          return result;
        },
      }),
    };
    await expect(deleteBuyerAndLinks(withOrderMeanwhile, 'test', 'a')).rejects.toThrow('Killed');
    expect(await buyer()).toMatchObject({ deleted_at: expect.any(String) });
    expect([(await order(1)).token, (await order(2)).token]).toEqual(['', '']);
  });
});

describe('restoring an order', () => {
  it('restores the order that was deleted last, whatever its number', async () => {
    const { admin, table, order, entry } = await buyerWithBalance(0);
    await changeLimit(admin, 'test', 'a', 1);
    await fill(table);
    for (const leadLimit of [5, 6]) {
      const { order_id } = await createOrder(admin, 'test', { buyerId: 'a', leadLimit, balance: 0 });
      if (leadLimit === 5) await deleteOrder(admin, 'test', 'a', order_id);
    }
    await deleteOrder(admin, 'test', 'a', 3);
    await deleteOrder(admin, 'test', 'a', 1);
    expect(await restoreLastDeletedOrder(admin, 'test', 'a')).toMatchObject({
      order_id: 1,
      deleted_at: null,
    });
    expect(await entry()).toMatchObject({ order_id: 1, has_capacity: false, active: true });
    expect(await restoreLastDeletedOrder(admin, 'test', 'a')).toMatchObject({ order_id: 3 });
    expect((await order(2)).deleted_at).not.toBeNull();
  });

  it('moves owed replacements back, as far as the balance still has them', async () => {
    const { admin, table, buyer } = await buyerWithBalance(3);
    await table.transact([buyerStore.changed(await buyer(), { balance_count: 2 })]);
    const restored = await restoreLastDeletedOrder(admin, 'test', 'a');
    expect(restored).toMatchObject({ reimbursement_pending: 2, returned_to_balance: 0 });
    expect(await orderStore.get(admin, 1)).toMatchObject(restored);
    expect(await buyer()).toMatchObject({ balance_count: 0, active: true });
    expect(await movesIn(table)).toEqual([
      ['return', 3, 1, 3],
      ['take_back', 2, 1, 0],
    ]);
  });

  it('is rejected while another order is open, or if none is deleted', async () => {
    const { admin } = await buyerWithBalance(1);
    await createOrder(admin, 'test', { buyerId: 'a', leadLimit: 5, balance: 0 });
    await expect(restoreLastDeletedOrder(admin, 'test', 'a')).rejects.toMatchObject({
      code: 'order_already_open',
    });
    const other = await buyerWithBalance(0);
    await changeLimit(other.admin, 'test', 'a', 1);
    await fill(other.table);
    await expect(restoreLastDeletedOrder(other.admin, 'test', 'a')).rejects.toMatchObject({
      kind: 'not_found',
    });
  });
});
