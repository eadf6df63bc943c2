import { describe, expect } from 'vitest';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as leadStore from '#functions/data/leads/lead-store';
import * as orderStore from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { assignByHand, ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { changeLimit } from '#functions/domain/orders/orders';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  distributionOn,
  dyingTable,
  Killed,
  violations,
} from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';
import { it } from '#test/harness/fixtures';

const soon = () => new Date(Date.now() + 60_000);

describe('distributing one lead', () => {
  it('rejects a chosen buyer without capacity and stores nothing', async ({ table, deps }) => {
    await addBuyers(table, [{ id: 'anna', probability: 60, limit: 1 }]);
    await ingest(deps, aPerson(), undefined);
    await expect(ingest(deps, aPerson(), 'anna')).rejects.toMatchObject({
      kind: 'conflict',
      code: 'buyer_has_no_capacity',
    });
    await expect(ingest(deps, aPerson(), 'nobody')).rejects.toMatchObject({ kind: 'not_found' });
    expect(await leadLists.countPending(deps)).toBe(0);
    expect(await violations(table, 1)).toEqual([]);
  });

  it('changes nothing if a manual assignment fails, and assigns it once there is capacity', async ({
    table,
    deps,
    admin,
  }) => {
    await addBuyers(table, [{ id: 'anna', probability: 60, limit: 1 }]);
    await ingest(deps, aPerson(), undefined);
    const { lead_id } = await ingest(deps, aPerson(), undefined);
    const assign = (change: Partial<Parameters<typeof assignByHand>[3]> = {}) =>
      assignByHand(deps, 'test', lead_id, { person: {}, buyerId: 'anna', ...change });
    await expect(assign()).rejects.toMatchObject({ code: 'buyer_has_no_capacity' });
    expect(await leadStore.get(deps, lead_id)).toMatchObject({ status: 'pending', reason: 'limits_reached' });
    await changeLimit(admin, 'test', 'anna', 2);
    const person = { vorname: 'Geändert' };
    await expect(assign({ person, expected: { vorname: 'Anders' } })).rejects.toMatchObject({
      code: 'edited_meanwhile',
      fields: { vorname: expect.any(String) },
    });
    expect(await assign({ person, expected: { vorname: 'Erika' } })).toMatchObject({
      buyer_id: 'anna',
      sequence: 2,
    });
    expect(await leadStore.get(deps, lead_id)).toMatchObject({ vorname: 'Geändert' });
    expect(await violations(table, 2)).toEqual([]);
  });

  it('leaves it pending for a buyer with manual review, and an admin can assign it', async ({
    table: fresh,
  }) => {
    await addBuyers(fresh, [{ id: 'careful', probability: 50, limit: 5, review: true }]);
    const result = await ingest(distributionOn(fresh), aPerson(), undefined);
    expect(result).toMatchObject({ status: 'pending', reason: 'manual_review' });
    expect(await redistribute(distributionOn(fresh), soon())).toEqual({ assigned: 0, more: false });
    const assigned = await assignByHand(distributionOn(fresh), 'test', result.lead_id, {
      person: {},
      buyerId: 'careful',
    });
    expect(assigned.sequence).toBe(1);
  });
});

describe('a crashing process', () => {
  const MOST_CALLS = 20;

  /** Runs a use case in a process that dies before or after its n-th call, for every n. */
  async function atEveryCall(
    engine: TestEngine,
    prepare: (table: Table) => Promise<void>,
    act: (table: Table) => Promise<unknown>,
    check: (table: Table) => Promise<void>,
  ): Promise<number> {
    let deaths = 0;
    for (const when of ['before', 'after'] as const) {
      for (let n = 1; n <= MOST_CALLS; n += 1) {
        const table = await engine.freshTable();
        await prepare(table);
        const dying = dyingTable(table, n, when);
        await act(dying.table).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        if (!dying.died()) break;
        await dying.quiet();
        deaths += 1;
        await reconcile(distributionOn(table), -1000);
        expect(await violations(table), `died ${when} call ${n}`).toEqual([]);
        await check(table);
      }
    }
    return deaths;
  }

  it('leaves every new lead assigned or pending after a reconciliation', async ({ engine }) => {
    const deaths = await atEveryCall(
      engine,
      async (table) => {
        await addBuyers(table, [
          { id: 'a', probability: 60, limit: 1 },
          { id: 'b', probability: 40, limit: 5 },
        ]);
        // The first order is full, but its pool entry is outdated, so a second choice is needed.
        await ingest(distributionOn(table), aPerson(), 'a');
        await table.update({
          key: { pk: 'POOL', sk: 'ENTRY#000000000001' },
          update: 'SET has_capacity = :true',
          values: { ':true': true },
        });
      },
      (table) => ingest(distributionOn(table), aPerson(), undefined),
      async (table) => {
        const [first, second] = await Promise.all([1, 2].map((id) => orderStore.get(adminOn(table), id)));
        expect(first?.leads_received).toBe(1);
        expect([0, 1]).toContain(second?.leads_received);
        expect(Object.keys({ ...first?.reservations, ...second?.reservations })).toEqual([]);
      },
    );
    expect(deaths).toBeGreaterThanOrEqual(12);
  });
});
