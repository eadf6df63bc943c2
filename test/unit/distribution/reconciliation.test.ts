/** What the reconciliation handles and what it leaves alone, on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as batchStore from '#functions/data/distribution/batch-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as leadStore from '#functions/data/leads/lead-store';
import { NO_CAPACITY } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { indexed, keys } from '#functions/data/table/keys';
import { type Table } from '#functions/data/table/table';
import { deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { ingest } from '#functions/domain/distribution/distribution';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import { reconcile, STALE_AFTER_MS } from '#functions/domain/distribution/reconciliation';
import { createLogger } from '#functions/platform/logger';
import { aReceivedLead } from '#test/factories/leads';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  type BuyerPlan,
  changedTable,
  dieWithAReservation,
  distributionOn,
  ingestionOn,
  itemsOf,
  Killed,
  ledgerOf,
  manyLeads,
  quietRuntime,
  sumOfDecisions,
  violations,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const NOTHING = { resumed: 0, reservationsReleased: 0, poolEntriesCorrected: 0 };
const NOW = -1000;
const BOTH: readonly BuyerPlan[] = [
  { id: 'anna', probability: 60, limit: 9 },
  { id: 'ben', probability: 40, limit: 9 },
];

async function aTable(plans: readonly BuyerPlan[] = BOTH) {
  const table = memoryTable();
  await addBuyers(table, plans);
  const lines: string[] = [];
  const runtime = { ...quietRuntime, log: createLogger((line) => lines.push(line)) };
  const deps = distributionOn(table, { runtime });
  const stored = async (lead_id: string, change: Partial<Lead> = {}) =>
    leadStore.receive(deps, aReceivedLead({ lead_id, ...change }));
  const get = async (id: string) => (await leadStore.get(deps, id))!;
  const logged = () => lines.map((line) => JSON.parse(line) as object);
  /** @param calls overridden methods of the table */
  const run = (calls: Partial<Table> = {}) =>
    reconcile(distributionOn(changedTable(table, calls), { runtime }), NOW);
  return { table, deps, stored, get, run, logged };
}

const later = (at: Date, ms: number) => ({ ...quietRuntime, now: () => new Date(at.getTime() + ms) });
const withoutLeadsInFlight =
  (table: Table): Table['query'] =>
  async (asked) =>
    indexed.everyInFlight().includes(asked.partition) ? { items: [], next: undefined } : table.query(asked);

describe('leads in flight', () => {
  it('are left to their process while it may still run', async () => {
    const { table, deps, stored } = await aTable();
    const at = deps.runtime.now();
    await stored('a', { received_at: at.toISOString(), in_flight_since: at.toISOString() });
    expect(await reconcile(distributionOn(table, { runtime: later(at, STALE_AFTER_MS) }))).toEqual(NOTHING);
    const due = distributionOn(table, { runtime: later(at, STALE_AFTER_MS + 1) });
    expect(await reconcile(due)).toEqual({ ...NOTHING, resumed: 1 });
  });

  it('are logged if they cannot be distributed, and block no other lead', async () => {
    const { table, stored, run, logged } = await aTable();
    await stored('a');
    await stored('b');
    const update: Table['update'] = async (one) =>
      one.key.pk === keys.leadPartition('a') ? Promise.reject(new Error('no answer')) : table.update(one);
    expect(await run({ update })).toEqual({ ...NOTHING, resumed: 1 });
    expect(logged()).toEqual([expect.objectContaining({ message: 'reconcile_attempt_failed', lead: 'a' })]);
    expect(await run()).toEqual({ ...NOTHING, resumed: 1 });
  });

  it('of one person that wait for each other are taken over together, with at most one for each buyer', async () => {
    const { table, stored, get, run } = await aTable();
    await stored('a', { earlier_leads: ['b'] });
    await stored('b', { earlier_leads: ['a'] });
    await stored('c');
    expect(await run()).toEqual({ ...NOTHING, resumed: 3 });
    expect(new Set([(await get('a')).buyer, (await get('b')).buyer])).toEqual(new Set([1, 2]));
    expect(await violations(table, 3)).toEqual([]);
    expect(await run()).toEqual(NOTHING);
  });

  it('are left to another process that takes them over first', async () => {
    const { table, stored, get, run } = await aTable();
    await stored('a');
    await stored('b', { earlier_leads: ['x'], received_at: '2026-01-01T00:00:00.000Z' });
    const update: Table['update'] = async (one) => {
      await table.update({
        ...one,
        values: { ...one.values, ':sort_key': `${String(one.values?.[':sort_key'])}+` },
      });
      return table.update(one);
    };
    expect(await run({ update })).toEqual(NOTHING);
    expect([(await get('a')).status, (await get('b')).status]).toEqual(['received', 'received']);
    expect(await run()).toEqual({ ...NOTHING, resumed: 2 });
  });

  it('wait for the buyer that an admin chose if it has no capacity', async () => {
    const { stored, get, run } = await aTable([
      { id: 'anna', probability: 60 },
      { id: 'ben', probability: 40, limit: 9 },
    ]);
    await stored('a', { chosen_buyer: 1, verified: true });
    await stored('b', { chosen_buyer: 2, verified: true });
    await stored('c', { chosen_buyer: 1, intended_buyer: 2, verified: true, reason: 'manual_review' });
    expect(await run()).toEqual({ ...NOTHING, resumed: 3 });
    expect(await get('a')).toMatchObject({ status: 'pending', reason: 'limits_reached', intended_buyer: 1 });
    expect(await get('b')).toMatchObject({ status: 'assigned', buyer: 2 });
    expect(await get('c')).toMatchObject({ status: 'pending', reason: 'manual_review', intended_buyer: 2 });
  });

  it('keep the slot that their dead attempt reserved, and its choice is withdrawn', async () => {
    const { table, deps, run } = await aTable();
    const reservations: typeof deps.reservations = {
      ...deps.reservations,
      reserve: async (...args) => {
        await deps.reservations.reserve(...args);
        // The record of the dead attempt is written concurrently.
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Killed();
      },
    };
    const phone = async () => ({ status: 'invalid', note: null }) as const;
    const checks = { ...deps.checks, phone };
    const ways = [
      run,
      async () => reconcile(distributionOn(table, { checks }), NOW),
      async () => {
        for (const id of ['anna', 'ben']) await updateBuyer(adminOn(table), 'test', id, { active: false });
        return run();
      },
    ];
    for (const [at, resume] of ways.entries()) {
      await expect(ingest({ ...deps, reservations }, aPerson(), undefined)).rejects.toThrow(Killed);
      expect(await resume()).toEqual({ ...NOTHING, resumed: 1 });
      expect(await violations(table, at + 1)).toEqual([]);
      expect((await ledgerOf(table)).deficits).toEqual(await sumOfDecisions(table));
    }
    expect(await orderStore.get(deps, 1)).toMatchObject({ leads_received: 1, reservations: {} });
    const decisions = (await itemsOf(table)).filter(({ sk }) => sk === 'DECISION');
    expect(decisions.filter(({ winner }) => winner !== null)).toHaveLength(1);
  });
});

describe('open batches', () => {
  it('are distributed sequentially, even if one fails', async () => {
    const { table, deps, run, logged } = await aTable([{ id: 'anna', probability: 60, limit: 12 }]);
    for (const count of [10, 10])
      await (await ingestMany(ingestionOn(table), manyLeads(count))).distribute([]);
    // The ingesting process died before it sent the messages.
    const bodies = (await itemsOf(table)).filter(({ leads }) => typeof leads === 'string');
    const [first = '', second = ''] = bodies.map(({ batch_id }) => String(batch_id));
    for (const id of [first, second]) await batchStore.reopen(deps, id, '2026-01-01T00:00:00.000Z');
    const query = withoutLeadsInFlight(table);
    const queryAll: Table['queryAll'] = async (asked) => {
      if (asked.partition === keys.batch(first)) throw new Error('no answer');
      return table.queryAll(asked);
    };
    expect(await run({ query, queryAll })).toMatchObject({ resumed: 10 });
    expect(logged()).toEqual([expect.objectContaining({ message: 'reconcile_batch_failed', batch: first })]);
    expect(await run({ query })).toMatchObject({ resumed: 10 });
    expect((await orderStore.get(deps, 1))?.leads_received).toBe(12);
    expect(await leadLists.countPending(deps)).toBe(8);
    expect(await run({ query })).toEqual(NOTHING);
  });
});

describe('the pool', () => {
  it('is corrected from orders that no process works on', async () => {
    const { table, deps, run } = await aTable([...BOTH, { id: 'cora', probability: 0 }]);
    const entry = async (buyer: number) => (await poolStore.entry(deps, buyer))!;
    await expect(dieWithAReservation(table)).rejects.toThrow(Killed);
    const at = (await orderStore.get(deps, 1))?.leads_received === 1 ? 1 : 2;
    for (const buyer of [1, 2]) await poolStore.noteCapacity(deps, await entry(buyer), NO_CAPACITY);
    const query = withoutLeadsInFlight(table);
    // The lead is still in flight, so its slot and its order's capacity in the pool stay.
    expect(await run({ query })).toEqual({ ...NOTHING, poolEntriesCorrected: 1 });
    expect([(await entry(at)).has_capacity, (await entry(3 - at)).has_capacity]).toEqual([false, true]);
    expect(await run()).toMatchObject({ resumed: 1, reservationsReleased: 1 });
    expect(await orderStore.get(deps, at)).toMatchObject({ reservations: {} });
    expect(await run()).toMatchObject({ resumed: 0 });
    expect((await entry(at)).has_capacity).toBe(true);
    expect(await violations(table, 1)).toEqual([]);
  });

  it('keeps a deleted buyer while an attempt may still use it', async () => {
    const { table } = await aTable([{ id: 'anna', probability: 60 }]);
    const now = new Date();
    await deleteBuyer(adminOn(table, { ...quietRuntime, now: () => now }), 'test', 'anna');
    const isThereAfter = async (ms: number) => {
      await reconcile(distributionOn(table, { runtime: later(now, ms) }));
      return (await table.get(keys.poolEntry(1))) !== undefined;
    };
    expect([await isThereAfter(STALE_AFTER_MS), await isThereAfter(STALE_AFTER_MS + 1)]).toEqual([
      true,
      false,
    ]);
  });

  it('removes a deleted buyer and its deficit when no attempt can use it', async () => {
    const { table, deps, run } = await aTable();
    for (let lead = 0; lead < 3; lead += 1) await ingest(deps, aPerson(), undefined);
    await expect(dieWithAReservation(table)).rejects.toThrow(Killed);
    const order = (await orderStore.getMany(deps, [1, 2])).find(
      (one) => Object.keys(one?.reservations ?? {}).length > 0,
    )!;
    const name = order.buyer === 1 ? 'anna' : 'ben';
    await deleteBuyer(adminOn(table), 'test', name);
    await run({ query: withoutLeadsInFlight(table) });
    // The reservation is undecided because the lead is in flight.
    expect((await poolStore.read(deps)).retired.map(({ buyer }) => buyer)).toEqual([order.buyer]);
    expect(await run()).toMatchObject({ reservationsReleased: 1 });
    await run();
    const { retired, ledger } = await poolStore.read(deps);
    expect(retired).toEqual([]);
    expect(Object.keys(ledger.deficits)).toEqual([String(3 - order.buyer)]);
  });
});
