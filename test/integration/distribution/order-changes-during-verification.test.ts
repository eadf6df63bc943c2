/** A change of the pool during a lead's verification. */

import { describe, expect } from 'vitest';
import { redistribute } from '#functions/domain/distribution/backlog';
import { ingest } from '#functions/domain/distribution/distribution';
import { createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, distributionOn, PASSING_CHECKS, violations } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';
import { it } from '#test/harness/fixtures';

const soon = () => new Date(Date.now() + 60_000);

/** Makes a change and redistributes the backlog during a lead's verification, which may take three seconds. */
async function whileChecked(
  table: Awaited<ReturnType<TestEngine['freshTable']>>,
  happens: () => Promise<unknown>,
) {
  const name = async () => {
    await happens();
    await redistribute(distributionOn(table), soon());
    return { status: 'valid', note: null } as const;
  };
  return ingest(distributionOn(table, { checks: { ...PASSING_CHECKS, name } }), aPerson(), undefined);
}

describe('a lead during verification', () => {
  it('goes to a concurrently opened order, even after its redistribution', async ({ table }) => {
    await addBuyers(table, [{ id: 'a', probability: 50 }]);
    const result = await whileChecked(table, () =>
      createOrder(adminOn(table), 'test', { buyerId: 'a', leadLimit: 5, balance: 0 }),
    );
    expect(result).toMatchObject({ status: 'assigned', buyer_id: 'a' });
    expect(await violations(table, 1)).toEqual([]);
  });

  it('goes to an order that concurrently replaces another one', async ({ table }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 5 }]);
    const result = await whileChecked(table, async () => {
      await deleteOrder(adminOn(table), 'test', 'a', 1);
      await createOrder(adminOn(table), 'test', { buyerId: 'a', leadLimit: 5, balance: 0 });
    });
    expect(result).toMatchObject({ status: 'assigned', order: { order_id: 2 } });
    expect(await violations(table, 1)).toEqual([]);
  });
});
