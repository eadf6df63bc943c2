/** Creating, changing, deleting and listing buyers, and their weights. Runs on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { TransactionItem } from '#functions/data/table/table';
import { buyerInContext } from '#functions/domain/buyers/buyer-list';
import { createBuyer, deleteBuyer, poolEntryOf, updateBuyer } from '#functions/domain/buyers/buyers';
import { changeWeights, checkWeights } from '#functions/domain/buyers/weights';
import { createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { aBuyer } from '#test/factories/buyers';
import { addBuyers, adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

/** Two buyers with open orders, of 60 and 30 percent. */
async function twoBuyers() {
  const table = memoryTable();
  await addBuyers(table, [
    { id: 'a', probability: 60, limit: 5 },
    { id: 'b', probability: 30, limit: 5 },
  ]);
  const admin = adminOn(table, { ...quietRuntime, sleep: async () => undefined });
  const weights = async () => {
    const [inPool, items] = [(await poolStore.read(admin)).entries, await buyerStore.all(admin)];
    return {
      inPool: inPool.map(({ probability }) => probability),
      items: items.map((one) => one.probability),
    };
  };
  const auditOf = async (buyer: number) =>
    (await auditStore.list(admin, { entity: 'buyer', entityId: String(buyer) }, { limit: 20 })).entries;
  /** The same, but another change comes before the first write. */
  const disturbed = () => {
    const writes: (readonly TransactionItem[])[] = [];
    const transact: typeof table.transact = async (items, ...more) => {
      writes.push(items);
      if (writes.length === 1)
        await table.transact([poolStore.weightsChanged((await poolStore.read(admin)).weightsVersion)]);
      return table.transact(items, ...more);
    };
    return { ...admin, writes, table: changedTable(admin.table, { transact }) };
  };
  return { table, admin, weights, auditOf, disturbed };
}

const newBuyer = (buyer_id: string, probability: number) => ({
  buyer_id,
  buyer_email: `${buyer_id}@example.org`,
  probability,
});

describe('adding a buyer', () => {
  it('with 100 % takes the weight from the others, if the admin agreed', async () => {
    const { admin, weights } = await twoBuyers();
    for (const agreed of [{}, { confirm_exclusive: false }])
      await expect(createBuyer(admin, 'test', { ...newBuyer('c', 100), ...agreed })).rejects.toMatchObject({
        code: 'probability_exceeded',
        fields: { probability: expect.stringContaining('100') },
      });
    await createBuyer(admin, 'test', { ...newBuyer('c', 100), confirm_exclusive: true });
    expect(await weights()).toEqual({ inPool: [0, 0, 10_000], items: [0, 0, 10_000] });
  });

  it('rejects a taken ID, and is retried after an unrelated change', async () => {
    const { disturbed, admin } = await twoBuyers();
    await expect(createBuyer(admin, 'test', newBuyer('a', 0))).rejects.toMatchObject({
      code: 'buyer_id_taken',
    });
    const deps = disturbed();
    expect(await createBuyer(deps, 'test', newBuyer('c', 10))).toMatchObject({ buyer_id: 'c' });
    expect(deps.writes).toHaveLength(2);
    expect((await buyerStore.byId(admin, 'c'))?.probability).toBe(1000);
  });
});

describe('changing a buyer', () => {
  it('accepts its present ID and no other change', async () => {
    const { admin } = await twoBuyers();
    expect(await updateBuyer(admin, 'test', 'a', { new_buyer_id: 'a' })).toMatchObject({ buyer_id: 'a' });
  });

  it('rejects a taken ID, and is retried after an unrelated change', async () => {
    const { disturbed, admin } = await twoBuyers();
    const rename = (deps: typeof admin, new_buyer_id: string) =>
      updateBuyer(deps, 'test', 'a', { new_buyer_id, probability: 40 });
    await expect(rename(admin, 'b')).rejects.toMatchObject({ code: 'buyer_id_taken' });
    const deps = disturbed();
    await rename(deps, 'c');
    expect(deps.writes).toHaveLength(2);
    expect(await buyerStore.byId(admin, 'a')).toBeUndefined();
    expect(await buyerStore.byId(admin, 'c')).toMatchObject({ buyer: 1, probability: 4000 });
    const again = disturbed();
    expect(await updateBuyer(again as never, 'test', 'c', { probability: 50 })).toMatchObject({
      probability: 5000,
    });
  });

  it('is audited, including a new ID', async () => {
    const { admin, auditOf } = await twoBuyers();
    await updateBuyer(admin, 'anna', 'a', { probability: 50 });
    await updateBuyer(admin, 'bert', 'a', { new_buyer_id: 'c' });
    expect((await auditOf(1)).slice(0, 2)).toMatchObject([
      { who: 'bert', action: 'renamed', label: 'c', changes: [{ field: 'buyer_id', from: 'a', to: 'c' }] },
      { who: 'anna', action: 'updated', label: 'a', changes: [{ field: 'probability', from: 60, to: 50 }] },
    ]);
  });
});

describe('deleting a buyer', () => {
  it('keeps it inactive with its last order, and is audited', async () => {
    const { admin, auditOf } = await twoBuyers();
    const context = async () => buyerInContext(admin, (await buyerStore.get(admin, 1))!);
    expect(await context()).toMatchObject({ order: { order_id: 1 }, poolEntry: { buyer: 1 } });
    await deleteBuyer(admin, 'anna', 'a');
    expect(await buyerStore.get(admin, 1)).toMatchObject({
      active: false,
      deleted_at: expect.any(String),
      last_order_id: 1,
    });
    const [notified] = await auditOf(1);
    expect(notified).toMatchObject({ who: 'anna', action: 'deleted', label: 'a' });
    expect(notified?.changes.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['active', 'deleted_at']),
    );
    expect(await context()).toMatchObject({ order: { order_id: 1 } });
    await expect(deleteBuyer(admin, 'test', 'a')).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('keeps the earlier order if the later one was deleted and the earlier reopened', async () => {
    const { admin } = await twoBuyers();
    await deleteOrder(admin, 'test', 'a', 1);
    await createOrder(admin, 'test', { buyerId: 'a', leadLimit: 5, balance: 0 });
    const before = (await buyerStore.get(admin, 1))!;
    const entry = (await poolStore.entry(admin, 1))!;
    expect([before.last_order_id, entry.order_id]).toEqual([3, 3]);
    await admin.table.transact([poolStore.entryChanged(entry, { ...entry, order_id: 1 })]);
    expect(await buyerInContext(admin, before)).toMatchObject({ order: { order_id: 1 } });
    await deleteBuyer(admin, 'test', 'a');
    expect(await buyerStore.get(admin, 1)).toMatchObject({ last_order_id: 1 });
  });
});

describe('the buyer store', () => {
  it('finds buyers by number, without missing ones', async () => {
    const { admin } = await twoBuyers();
    const found = await buyerStore.getMany(admin, [2, 99, 2]);
    expect([...found]).toEqual([[2, await buyerStore.byId(admin, 'b')]]);
    expect(await buyerStore.allNames(admin)).toEqual([
      { buyer: 1, buyer_id: 'a' },
      { buyer: 2, buyer_id: 'b' },
    ]);
  });
});

describe('the weights of several buyers', () => {
  it('exclude buyers without weight or order, and paused ones', () => {
    const entry = (buyer: number, changes: object) => ({
      ...poolEntryOf(aBuyer({ buyer, buyer_id: String(buyer), active: true, probability: 1000 }), undefined),
      order_id: buyer,
      ...changes,
    });
    const entries = [
      entry(1, {}),
      entry(2, { probability: 0 }),
      entry(3, { order_id: null }),
      entry(4, { active: false }),
      entry(5, {}),
    ];
    expect(checkWeights({ entries }, { buyer: 5, probability: 10_000 }, true)).toEqual(new Map([[1, 0]]));
    expect(checkWeights({ entries }, { buyer: 5, probability: 9000 }, true)).toEqual(new Map());
    expect(() => checkWeights({ entries }, { buyer: 5, probability: 9001 }, true)).toThrow(
      expect.objectContaining({ code: 'probability_exceeded', fields: { probability: expect.any(String) } }),
    );
  });

  it('change once if they are as expected, and are retried after an unrelated change', async () => {
    const { admin, disturbed, weights, auditOf } = await twoBuyers();
    const change = (deps: typeof admin, seen: number) =>
      changeWeights(
        deps,
        'anna',
        [
          { buyerId: 'a', weight: 2000, expected: seen },
          { buyerId: 'b', weight: 3000, expected: 3000 },
        ],
        false,
      );
    await expect(change(admin, 5000)).rejects.toMatchObject({
      code: 'edited_meanwhile',
      fields: { a: expect.any(String) },
    });
    const deps = disturbed();
    await change(deps, 6000);
    expect(await weights()).toEqual({ inPool: [2000, 3000], items: [2000, 3000] });
    const notified = async (buyer: number) =>
      (await auditOf(buyer)).filter(({ who }) => who === 'anna').length;
    expect([await notified(1), await notified(2)]).toEqual([1, 0]);
    const writes = deps.writes.length;
    await change(deps, 2000);
    expect(deps.writes).toHaveLength(writes);
  });
});

describe('the pool entry of a buyer', () => {
  it('keeps the values from order and caps when the buyer is edited', () => {
    const buyer = aBuyer({ schedule: { weekdays: [1], from: '09:00', to: '17:00', holidays_off: true } });
    const added = poolEntryOf(buyer, undefined);
    expect(added).toMatchObject({ order_id: null, has_capacity: false, version: 1 });
    const ofOrder = { order_id: 3, has_capacity: true, paced: true, version: 4 };
    const opened_at = '2026-05-04T07:00:00Z';
    const capped = { capped_until: '2026-05-04T22:00:00Z', capped_by: 'daily_cap_reached' } as const;
    const entry = { ...added, ...ofOrder, ...capped, opened_at };
    expect(poolEntryOf(buyer, entry)).toStrictEqual(entry);
    const { schedule, ...always } = added;
    expect(schedule).toEqual(buyer.schedule);
    expect(poolEntryOf({ ...buyer, schedule: null }, always)).toStrictEqual(always);
  });

  it('requires free weight when it is resumed', async () => {
    const { admin, disturbed } = await twoBuyers();
    const change = (id: string, input: Parameters<typeof updateBuyer>[3]) =>
      updateBuyer(admin, 'test', id, input);
    await change('a', { active: false });
    await change('b', { probability: 90 });
    await expect(change('a', { active: true })).rejects.toMatchObject({ code: 'probability_exceeded' });
    await change('b', { probability: 40 });
    expect(await change('a', { active: true })).toMatchObject({ active: true });
    // Changes without weights do not wait for changes of weights.
    const deps = disturbed();
    await updateBuyer(deps, 'test', 'a', { price_per_lead: 20 });
    expect(deps.writes).toHaveLength(1);
  });
});
