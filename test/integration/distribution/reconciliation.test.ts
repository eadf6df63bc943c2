/** What a reconciliation finishes, undoes, corrects and leaves alone. */

import { describe, expect } from 'vitest';
import { NO_ROOM } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { deleteBuyer } from '#functions/domain/buyers/buyers';
import { assignByHand, takeIn } from '#functions/domain/distribution/distribution';
import { reconcile, STALE_AFTER_MS } from '#functions/domain/distribution/reconciliation';
import { createOrder } from '#functions/domain/orders/orders';
import { createLogger } from '#functions/logger';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  dieWithAReservation,
  distributionOn,
  itemsOf,
  Killed,
  leadsAmong,
  PASSING_CHECKS,
  quietRuntime,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const NOTHING = { resumed: 0, reservationsReleased: 0, poolEntriesCorrected: 0 };

/** Takes a lead in with a process that dies while it is verified. @returns when that was */
async function leaveInFlight(table: Table): Promise<Date> {
  const now = new Date('2026-11-20T10:00:00.000Z');
  const checks = { ...PASSING_CHECKS, name: () => Promise.reject(new Killed()) };
  const dying = distributionOn(table, { checks, runtime: { ...quietRuntime, now: () => now } });
  await expect(takeIn(dying, aPerson(), undefined)).rejects.toThrow(Killed);
  return now;
}

const later = (at: Date, ms: number) => ({ ...quietRuntime, now: () => new Date(at.getTime() + ms) });

describe('a lead in flight', () => {
  it('is left to its process for as long as that may run', async ({ table }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 5 }]);
    const at = await leaveInFlight(table);
    expect(await reconcile(distributionOn(table, { runtime: later(at, STALE_AFTER_MS) }))).toEqual(NOTHING);
    const due = distributionOn(table, { runtime: later(at, STALE_AFTER_MS + 1) });
    expect(await reconcile(due)).toEqual({ ...NOTHING, resumed: 1 });
    expect(await violations(table, 1)).toEqual([]);
    expect(await due.leads.countPending()).toBe(0);
  });

  it('that cannot be distributed is logged and keeps no other one', async ({ table }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 5 }]);
    await leaveInFlight(table);
    const at = await leaveInFlight(table);
    const lines: string[] = [];
    const runtime = { ...later(at, 60_000), log: createLogger((line) => lines.push(line)) };
    const deps = distributionOn(table, { runtime });
    const [refused] = leadsAmong(await itemsOf(table)).map(({ lead_id }) => lead_id);
    const leads: typeof deps.leads = {
      ...deps.leads,
      takeOver: (lead, now) =>
        lead.lead_id === refused ? Promise.reject(new Error('no answer')) : deps.leads.takeOver(lead, now),
    };
    expect(await reconcile({ ...deps, leads })).toEqual({ ...NOTHING, resumed: 1 });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ message: 'reconcile_attempt_failed', lead: refused }),
    ]);
    expect(await reconcile(deps)).toEqual({ ...NOTHING, resumed: 1 });
    expect(await violations(table, 2)).toEqual([]);
  });

  it('waits again for the buyer that an admin chose when that cannot take it', async ({ table }) => {
    await addBuyers(table, [
      { id: 'a', probability: 50, limit: 1, review: true },
      { id: 'b', probability: 50 },
    ]);
    const deps = distributionOn(table);
    const { lead_id } = await takeIn(deps, aPerson(), undefined);
    const dying = {
      ...deps,
      reservations: { ...deps.reservations, reserve: () => Promise.reject(new Killed()) },
    };
    await expect(assignByHand(dying, 'test', lead_id, { person: {}, buyerId: 'a' })).rejects.toThrow(Killed);
    await createOrder(adminOn(table), 'test', { buyerId: 'b', leadLimit: 5, balance: 0 });
    await deleteBuyer(adminOn(table), 'test', 'a');
    await reconcile(distributionOn(table), -1000);
    const lead = leadsAmong(await itemsOf(table)).find((one) => one.lead_id === lead_id);
    expect(lead).toMatchObject({ status: 'pending', intended_buyer: 1 });
  });
});

describe('a reservation that a process left', () => {
  it('is released and counted, and its lead assigned', async ({ table }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 2 }]);
    await expect(dieWithAReservation(table)).rejects.toThrow(Killed);
    expect(await reconcile(distributionOn(table), -1000)).toEqual({
      resumed: 1,
      reservationsReleased: 1,
      poolEntriesCorrected: 0,
    });
    expect(await violations(table, 1)).toEqual([]);
    expect(await adminOn(table).orders.get(1)).toMatchObject({ leads_received: 1, reservations: {} });
    expect(await reconcile(distributionOn(table), -1000)).toEqual(NOTHING);
  });
});

describe('the pool', () => {
  it('is corrected where it disagrees with an order, once', async ({ table }) => {
    await addBuyers(table, [
      { id: 'a', probability: 50, limit: 5 },
      { id: 'b', probability: 50, limit: 5 },
    ]);
    const deps = distributionOn(table);
    const wrong = (await deps.pool.read()).entries.find(({ buyer }) => buyer === 2);
    if (wrong === undefined || wrong.order_id === null) throw new Error('Buyer 2 has no order in the pool');
    await deps.pool.noteRoom({ ...wrong, order_id: wrong.order_id }, NO_ROOM);
    expect(await reconcile(deps)).toEqual({ ...NOTHING, poolEntriesCorrected: 1 });
    expect((await deps.pool.read()).entries.map(({ has_capacity }) => has_capacity)).toEqual([true, true]);
    expect(await reconcile(deps)).toEqual(NOTHING);
  });

  it('keeps the entry of a deleted buyer while an attempt may still use it', async ({ table }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 5 }]);
    const now = new Date();
    await deleteBuyer(adminOn(table, { ...quietRuntime, now: () => now }), 'test', 'a');
    await reconcile(distributionOn(table, { runtime: later(now, STALE_AFTER_MS) }));
    expect(await table.get(keys.poolEntry(1))).toBeDefined();
    await reconcile(distributionOn(table, { runtime: later(now, STALE_AFTER_MS + 1) }));
    expect(await table.get(keys.poolEntry(1))).toBeUndefined();
  });
});
