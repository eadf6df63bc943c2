/** Reservations against what an admin does to their order at the same moment. */

import fc from 'fast-check';
import { expect } from 'vitest';
import * as orderStore from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import { changeLimit, deleteOrder } from '#functions/domain/orders/orders';
import { addBuyers, adminOn } from '#test/harness/distribution';
import { itOnEngine as it } from '#test/harness/fixtures';

const NOW = { at: new Date() };

async function order(table: Table, id: string, limit: number) {
  const orders = await addBuyers(table, [{ id, probability: 1, limit }]);
  return orders.get(id)!.order_id;
}
const attempt = (number: number) => ({
  lead_id: `01J000000000000000000000${String(number).padStart(2, '0')}`,
  distribution_attempt: 1,
});
const leadsReceived = async (table: Table, orderId: number) =>
  (await orderStore.get(adminOn(table), orderId))?.leads_received;

it('reserves nothing on a deleted order', async ({ table }) => {
  const deps = adminOn(table);
  const { reservations } = deps;
  const orderId = await order(table, 'a', 5);
  await deleteOrder(deps, 'ann', 'a', orderId);
  expect(await reservations.reserve(orderId, attempt(1), NOW)).toMatchObject({ reserved: false });
  expect(await leadsReceived(table, orderId)).toBe(0);
});

it('counts no reservation that came after the deletion', async ({ table }) => {
  const deps = adminOn(table);
  const { reservations } = deps;
  for (let round = 0; round < 5; round += 1) {
    const orderId = await order(table, `d${round}`, 50);
    const reserved: boolean[] = [];
    const reserve = async (at: number) => {
      reserved.push((await reservations.reserve(orderId, attempt(at), NOW)).reserved);
    };
    await Promise.all([
      ...Array.from({ length: 8 }, (_, at) => reserve(at)),
      deleteOrder(deps, 'ann', `d${round}`, orderId),
    ]);
    const after = await leadsReceived(table, orderId);
    expect(after).toBe(reserved.filter(Boolean).length);
    await reserve(20);
    expect(reserved.at(-1)).toBe(false);
    expect(await leadsReceived(table, orderId)).toBe(after);
  }
});

it('refuses a limit under what was reserved since the admin looked, and any for a deleted order', async ({
  table,
}) => {
  const deps = adminOn(table);
  const { reservations } = deps;
  const orderId = await order(table, 'a', 5);
  const seen = (await orderStore.get(deps, orderId))!;
  for (const at of [1, 2, 3]) await reservations.reserve(orderId, attempt(at), NOW);
  // What a use case writes that read the order before the three came.
  expect((await table.transact(orderStore.limitChanged(seen, 2, undefined))).ok).toBe(false);
  expect((await table.transact(orderStore.limitChanged(seen, 3, undefined))).ok).toBe(true);
  expect(await reservations.reserve(orderId, attempt(4), NOW)).toMatchObject({ reserved: false });
  await deleteOrder(deps, 'ann', 'a', orderId);
  expect((await table.transact(orderStore.limitChanged(seen, 9, undefined))).ok).toBe(false);
});

it('never has more leads than its limit, whatever limits are set while leads come', async ({ table }) => {
  const deps = adminOn(table);
  const { reservations } = deps;
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 12 }),
      async (limits, leads) => {
        round += 1;
        const id = `l${round}`;
        const orderId = await order(table, id, 6);
        const change = (limit: number) =>
          changeLimit(deps, 'ann', id, limit).then(
            () => undefined,
            (error: unknown) => expect(error).toMatchObject({ name: 'DomainError' }),
          );
        await Promise.all([
          ...Array.from({ length: leads }, (_, at) => reservations.reserve(orderId, attempt(at), NOW)),
          ...limits.map(change),
        ]);
        const { leads_received: received, lead_limit: limit } = (await orderStore.get(deps, orderId))!;
        expect(received).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 15 },
  );
});
