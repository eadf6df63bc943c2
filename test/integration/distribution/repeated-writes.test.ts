/** The SDK repeats writes with a lost answer; none may count twice. */

import { describe, expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as leadStore from '#functions/data/leads/lead-store';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import { assignByHand, distribute, ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { createOrder } from '#functions/domain/orders/orders';
import { aReceivedLead } from '#test/factories/leads';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  distributionOn,
  ledgerOf,
  sumOfDecisions,
  violations,
} from '#test/harness/distribution';
import { itOnEngine as it } from '#test/harness/fixtures';

const BUYERS = [
  { id: 'a', probability: 50, limit: 1000 },
  { id: 'b', probability: 30, limit: 1000 },
  { id: 'c', probability: 20, limit: 1000 },
];

describe('a write with a lost answer', () => {
  it('counts once at every step of a lead', async ({ table, connections }) => {
    await addBuyers(table, BUYERS);
    const { table: lossy, faults } = connections.losingEveryAnswerOnce(table);
    const deps = distributionOn(lossy);
    for (let lead = 0; lead < 10; lead += 1)
      expect((await ingest(deps, aPerson(), undefined)).status).toBe('assigned');
    // Received, settled, reserved, recorded and assigned, each twice.
    expect(faults.injected.lostAnswer).toBeGreaterThanOrEqual(25);
    expect(await violations(table, 10)).toEqual([]);
    expect((await ledgerOf(table)).deficits).toEqual(await sumOfDecisions(table));
    expect((await ledgerOf(table)).version).toBe(10);
  });

  it('counts once if a lead is assigned manually, taken over by the reconciliation or rejected', async ({
    table,
    connections,
  }) => {
    await addBuyers(table, [{ id: 'a', probability: 50 }]);
    const waiting = await ingest(distributionOn(table), aPerson(), undefined);
    await createOrder(adminOn(table), 'test', { buyerId: 'a', leadLimit: 2, balance: 0 });
    const deps = distributionOn(connections.losingEveryAnswerOnce(table).table);
    await assignByHand(deps, 'test', waiting.lead_id, { person: {}, buyerId: 'a' });

    // A distribution attempt that ends after it received the lead.
    await leadStore.receive(deps, aReceivedLead({ lead_id: 'left-behind' }));
    expect(await reconcile(deps, -1000)).toMatchObject({ resumed: 1 });
    expect(await leadStore.get(deps, 'left-behind')).toMatchObject({
      status: 'assigned',
      distribution_attempt: 2,
    });

    await expect(ingest(deps, aPerson(), 'a')).rejects.toMatchObject({ code: 'buyer_has_no_capacity' });
    await expect(ingest(deps, aPerson(), 'nobody')).rejects.toMatchObject({ kind: 'not_found' });
    expect(await violations(table, 2)).toEqual([]);
    expect((await orderStore.get(deps, 1))?.leads_received).toBe(2);
  });

  it('may skip a counter value, but never issues one twice', async ({ table, connections }) => {
    const lossy = connections.to(table, { lostAnswer: 0.1 }).table;
    for (const next of [
      () => orderStore.nextId({ table: lossy }),
      () => buyerStore.nextInternalId({ table: lossy }),
    ]) {
      const numbers = await Promise.all(Array.from({ length: 80 }, () => next()));
      expect(new Set(numbers).size).toBe(80);
    }
  });
});

it('a damaged ledger is restored from the last read if it disappears before a write', async ({
  table,
  deps,
}) => {
  await addBuyers(table, BUYERS);
  await ingest(deps, aPerson(), undefined);
  const pool = await poolStore.read(deps);
  const lead = aReceivedLead({ lead_id: 'next' });
  await leadStore.receive(deps, lead);
  await table.delete({ delete: keys.ledger() });
  expect((await distribute(deps, lead, pool)).status).toBe('assigned');
  expect((await ledgerOf(table)).deficits).toEqual(await sumOfDecisions(table));
});
