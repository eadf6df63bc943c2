/** The weights of several buyers change together: all or none, never above 100 %, each in the audit trail. */

import { describe, expect } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Table } from '#functions/data/table/table';
import { deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { changeWeights } from '#functions/domain/buyers/weights';
import { createOrder } from '#functions/domain/orders/orders';
import { addBuyers, adminOn, itemsOf } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const set = (table: Table, weights: Readonly<Record<string, number>>, exclusive = false) =>
  changeWeights(
    adminOn(table),
    'ada',
    Object.entries(weights).map(([buyerId, percent]) => ({
      buyerId,
      weight: percent * 100,
      expected: undefined,
    })),
    exclusive,
  );

/** The weights in effect, in percent. */
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
  // Its weight is not available yet, because the others have 100 %.
  await addBuyers(table, [{ id: 'new', probability: 0, limit: 0 }]);
}

describe('weights of several buyers', () => {
  it('release weight for a new one, which can then get its order', async ({ table }) => {
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

  it('are rejected together above 100 %, for an unknown buyer, or for a repeated one', async ({ table }) => {
    await threeBuyers(table);
    await expect(set(table, { north: 50, new: 11 })).rejects.toMatchObject({
      code: 'probability_exceeded',
      message: 'Total probability cannot exceed 100%. Please adjust the value.',
    });
    await expect(set(table, { north: 10, nobody: 1 })).rejects.toMatchObject({ code: 'buyer_not_found' });
    await deleteBuyer(adminOn(table), 'ada', 'south');
    await expect(set(table, { north: 10, south: 1 })).rejects.toMatchObject({ code: 'buyer_not_found' });
    const twice = [10, 20].map((percent) => ({
      buyerId: 'north',
      weight: percent * 100,
      expected: undefined,
    }));
    await expect(changeWeights(adminOn(table), 'ada', twice, false)).rejects.toMatchObject({
      code: 'buyer_named_twice',
    });
    expect(await inEffect(table)).toEqual({ north: 60, new: 0 });
  });

  it('can be 100 % for one if the admin confirms 0 % for all others', async ({ table }) => {
    await threeBuyers(table);
    await expect(set(table, { north: 70, new: 30 })).rejects.toMatchObject({ code: 'probability_exceeded' });
    await set(table, { north: 70, new: 30 }, true);
    expect(await inEffect(table)).toEqual({ north: 70, south: 0, new: 30 });
    // Confirming does not help above 100 %.
    await expect(set(table, { north: 70, south: 31 }, true)).rejects.toMatchObject({
      code: 'probability_exceeded',
    });
  });
});
