/** The weights of several buyers change together: all or none, never above 100 %, each in the audit trail. */

import { describe, expect } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Item, Table } from '#functions/data/table/table';
import { deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { changeWeights, poolWithWrittenWeights, writeWeights } from '#functions/domain/buyers/weights';
import { DomainError } from '#functions/domain/common/errors';
import { createOrder } from '#functions/domain/orders/orders';
import { addBuyers, adminOn, dyingTable, itemsOf, Killed } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

/** With the item of the weights, more than one transaction holds. */
const MANY = 32;

const addMany = (table: Table) =>
  addBuyers(
    table,
    Array.from({ length: MANY }, (_, at) => ({ id: `buyer-${at}`, probability: 2.5, limit: 5 })),
  );

const set = (table: Table, weights: Readonly<Record<string, number>>, exclusive = false) =>
  changeWeights(
    adminOn(table),
    'ada',
    Object.entries(weights).map(([buyerId, percent]) => ({
      buyerId,
      weight: percent * 100,
      seen: undefined,
    })),
    exclusive,
  );

/** The weights by which leads are distributed, in percent. */
async function inEffect(table: Table): Promise<Record<string, number>> {
  const { entries } = await poolStore.read(adminOn(table));
  return Object.fromEntries(entries.map(({ buyer_id, probability }) => [buyer_id, probability / 100]));
}

async function written(table: Table): Promise<Record<string, number[]>> {
  const items = (await itemsOf(table)).filter(({ pk }) => pk === 'BUYERS' || pk === 'POOL');
  const weights: Record<string, number[]> = {};
  for (const { buyer_id, probability } of items)
    if (typeof buyer_id === 'string' && typeof probability === 'number')
      (weights[buyer_id] ??= []).push(probability / 100);
  return weights;
}

async function threeBuyers(table: Table): Promise<void> {
  await addBuyers(table, [
    { id: 'north', probability: 60, limit: 5 },
    { id: 'south', probability: 40, limit: 5 },
  ]);
  // It cannot have its share yet: the others have everything.
  await addBuyers(table, [{ id: 'new', probability: 0, limit: 0 }]);
}

describe('weights of several buyers', () => {
  it('make room for a new one, which can then get its order', async ({ table }) => {
    await threeBuyers(table);
    const admin = adminOn(table);
    await expect(updateBuyer(admin, 'ada', 'new', { probability: 25 })).rejects.toMatchObject({
      code: 'probability_exceeded',
    });
    await set(table, { north: 45, south: 30, new: 25 });
    expect(await inEffect(table)).toEqual({ north: 45, south: 30, new: 25 });
    expect(await written(table)).toEqual({ north: [45, 45], south: [30, 30], new: [25, 25] });
    await createOrder(admin, 'ada', { buyerId: 'new', leadLimit: 5, balance: 0 });
  });

  it('leave one row in the audit trail for each buyer whose weight changed', async ({ table }) => {
    await threeBuyers(table);
    await set(table, { north: 50, south: 40, new: 10 });
    const { entries } = await auditStore.list({ table }, { entity: 'buyer' }, { limit: 500 });
    const changes = entries
      .filter(({ who }) => who === 'ada')
      .map(({ label, action, changes }) => ({ label, action, changes }));
    expect(changes).toHaveLength(2);
    expect(changes).toContainEqual({
      label: 'north',
      action: 'updated',
      changes: [{ field: 'probability', from: 60, to: 50 }],
    });
    expect(changes).toContainEqual({
      label: 'new',
      action: 'updated',
      changes: [{ field: 'probability', from: 0, to: 10 }],
    });
  });

  it('are refused together: beyond 100 %, for an unknown buyer, for one named twice', async ({ table }) => {
    await threeBuyers(table);
    await expect(set(table, { north: 50, new: 11 })).rejects.toMatchObject({
      code: 'probability_exceeded',
      message: 'Total probability cannot exceed 100%. Please adjust the value.',
    });
    await expect(set(table, { north: 10, nobody: 1 })).rejects.toMatchObject({ code: 'buyer_not_found' });
    await deleteBuyer(adminOn(table), 'ada', 'south');
    await expect(set(table, { north: 10, south: 1 })).rejects.toMatchObject({ code: 'buyer_not_found' });
    const twice = [10, 20].map((percent) => ({ buyerId: 'north', weight: percent * 100, seen: undefined }));
    await expect(changeWeights(adminOn(table), 'ada', twice, false)).rejects.toMatchObject({
      code: 'buyer_named_twice',
    });
    expect(await inEffect(table)).toEqual({ north: 60, new: 0 });
  });

  it('may be everything, when the admin agrees that all others go to 0 %', async ({ table }) => {
    await threeBuyers(table);
    await expect(set(table, { north: 70, new: 30 })).rejects.toMatchObject({ code: 'probability_exceeded' });
    await set(table, { north: 70, new: 30 }, true);
    expect(await inEffect(table)).toEqual({ north: 70, south: 0, new: 30 });
    // Agreeing is not enough beyond 100 %.
    await expect(set(table, { north: 70, south: 31 }, true)).rejects.toMatchObject({
      code: 'probability_exceeded',
    });
  });

  it('are in effect for all or for none, wherever the process dies', async ({ table }) => {
    await addMany(table);
    const wanted = Object.fromEntries(
      Array.from({ length: MANY }, (_, at) => [`buyer-${at}`, at % 2 === 0 ? 4 : 1]),
    );
    const before = (await itemsOf(table)).filter(({ pk }) => pk === 'BUYERS' || pk === 'POOL');
    const former = await inEffect(table);
    const restored = async () => {
      const puts = before.map((item) => ({ put: item as Item & { pk: string; sk: string } }));
      for (let start = 0; start < puts.length; start += 100)
        await table.transact(puts.slice(start, start + 100));
    };
    const outcomes = { none: 0, partlyWritten: 0, written: 0 };
    for (let call = 1; ; call += 1) {
      const dying = dyingTable(table, call, call % 2 === 0 ? 'before' : 'after');
      await set(dying.table, wanted).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      await dying.quiet();
      const now = await inEffect(table);
      if (now['buyer-0'] === 4) {
        expect(now).toEqual(wanted);
        const partly = Object.values(await written(table)).some((weights) => weights.includes(2.5));
        outcomes[partly ? 'partlyWritten' : 'written'] += 1;
        await writeWeights(adminOn(table));
        for (const [id, weights] of Object.entries(await written(table)))
          expect(weights).toEqual([wanted[id], wanted[id]]);
      } else {
        expect(now).toEqual(former);
        outcomes.none += 1;
      }
      if (!dying.died()) break;
      await restored();
    }
    expect(Object.values(outcomes).every((count) => count > 0)).toBe(true);
  });

  it('stay at most 100 % together with what other admins do at the same time', async ({ table }) => {
    await threeBuyers(table);
    const admin = adminOn(table);
    const results = await Promise.allSettled([
      set(table, { north: 40, south: 40, new: 20 }),
      set(table, { north: 10, south: 70 }),
      updateBuyer(admin, 'test', 'south', { probability: 40 }),
      updateBuyer(admin, 'test', 'north', { active: false }),
      createOrder(admin, 'test', { buyerId: 'new', leadLimit: 5, balance: 0 }),
      updateBuyer(admin, 'test', 'new', { probability: 100, confirm_exclusive: true }),
    ]);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DomainError);
    const { entries } = await poolWithWrittenWeights(admin);
    const sum = entries
      .filter(({ active, order_id }) => active && order_id !== null)
      .reduce((total, { probability }) => total + probability, 0);
    expect(sum).toBeLessThanOrEqual(100_00);
    for (const entry of entries)
      expect((await buyerStore.get(admin, entry.buyer))?.probability).toBe(entry.probability);
  });
});
