/** Storage and distribution of several leads in one call, on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as batchStore from '#functions/data/distribution/batch-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import { STALE_AFTER_MS } from '#functions/domain/distribution/reconciliation';
import { createLogger } from '#functions/platform/logger';
import { addBuyers, changedTable, ingestionOn, manyLeads, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const START_MS = Date.parse('2026-05-04T12:00:00.000Z');

async function aCaller() {
  const table = memoryTable();
  await addBuyers(table, [{ id: 'anna', probability: 60, limit: 500 }]);
  const lines: string[] = [];
  const clock = { now: START_MS };
  const runtime = {
    ...quietRuntime,
    now: () => new Date(clock.now),
    log: createLogger((line) => lines.push(line)),
  };
  const deps = ingestionOn(table, { runtime });
  const leads = (count: number, change: (at: number) => Partial<Lead> = () => ({})) =>
    manyLeads(count, (at) => ({ received_at: new Date(START_MS).toISOString(), ...change(at) }));
  const states = async (all: readonly Lead[]) =>
    (
      await leadStore.getMany(
        deps,
        all.map(({ lead_id }) => lead_id),
      )
    ).map((lead) => lead?.status);
  const openBatches = (before = '2027') => batchStore.openSince(deps, before, 9);
  const logged = () => lines.map((line) => JSON.parse(line) as { message: string });
  return { deps, leads, states, openBatches, clock, logged };
}

describe('leads of one call', () => {
  it('are distributed immediately if fewer than ten, otherwise in batches of a hundred', async () => {
    const { deps, leads, states } = await aCaller();
    const few = leads(9);
    await (await ingestMany(deps, few)).distribute();
    expect(await states(few)).toEqual(Array(9).fill('assigned'));
    expect(deps.messages).toEqual([]);
    const ten = leads(10);
    const taken = await ingestMany(deps, ten);
    expect(taken.outcomes.every(({ stored }) => stored)).toBe(true);
    await taken.distribute();
    expect(await states(ten)).toEqual(Array(10).fill('received'));
    expect(deps.messages).toEqual([{ batch_id: expect.any(String), absent: [] }]);
    const many = leads(101);
    await (await ingestMany(deps, many)).distribute();
    const batches = await Promise.all(
      deps.messages.slice(1).map(({ batch_id }) => batchStore.read(deps, batch_id)),
    );
    expect(batches.map((batch) => batch?.leads.length)).toEqual([100, 1]);
    expect(batches[0]?.received_at).toBe(many[0]?.received_at);
    await (await ingestMany(deps, [])).distribute();
    expect(deps.messages).toHaveLength(3);
  });

  it('are stored once each, even if one is repeated', async () => {
    const { deps, leads } = await aCaller();
    for (const count of [3, 10]) {
      const all = leads(count);
      const [first] = all;
      const { outcomes } = await ingestMany(deps, [...all, { ...first! }]);
      expect(outcomes.map(({ stored }) => stored)).toEqual([...Array<boolean>(count).fill(true), false]);
      expect(outcomes.at(-1)).toMatchObject({ earlier: { lead_id: first!.lead_id } });
      // The outcome contains the batch if the lead is in one.
      const { batch_id } = (await leadStore.get(deps, first!.lead_id))!;
      expect(batch_id === undefined).toBe(count === 3);
      const again = await ingestMany(deps, all);
      expect(again.outcomes).toMatchObject(
        all.map(({ lead_id }) => ({ stored: false, earlier: { lead_id, ...(batch_id && { batch_id }) } })),
      );
    }
  });

  it('are distributed if they are admitted, and an empty batch is closed', async () => {
    const { deps, leads, states, openBatches } = await aCaller();
    const all = leads(10);
    const taken = await ingestMany(deps, all);
    expect(await openBatches()).toHaveLength(1);
    const stored = taken.outcomes.flatMap((one) => (one.stored ? [one.lead] : []));
    // One waits for another lead of its person, and delays no other lead.
    await taken.distribute([{ ...stored[2]!, earlier_leads: [] }, ...stored.slice(5)]);
    expect(deps.messages).toEqual([{ batch_id: stored[0]!.batch_id, absent: [0, 1, 2, 3, 4] }]);
    expect((await states(all))[2]).toBe('assigned');
    expect(await openBatches()).toHaveLength(1);
    await (await ingestMany(deps, leads(10))).distribute([]);
    expect(deps.messages).toHaveLength(1);
    expect(await openBatches()).toEqual([stored[0]!.batch_id]);
    const few = leads(2);
    await (await ingestMany(deps, few)).distribute(few.slice(1));
    expect(await states(few)).toEqual(['received', 'assigned']);
  });

  it('are listed again if they were stored so late that the reconciliation may have missed them', async () => {
    for (const isLate of [false, true]) {
      const { deps, leads, openBatches, clock } = await aCaller();
      const taken = await ingestMany(deps, leads(10));
      clock.now += STALE_AFTER_MS / 2 + (isLate ? 1 : 0);
      await taken.distribute();
      expect(deps.messages).toHaveLength(1);
      expect(await openBatches(new Date(clock.now).toISOString())).toHaveLength(isLate ? 0 : 1);
      expect(await openBatches()).toHaveLength(1);
    }
  });

  it('are rejected for a retry if they could be lost', async () => {
    const { deps, leads, openBatches, clock } = await aCaller();
    const all = leads(10);
    let isSilent = false;
    const { table } = deps;
    const silent = changedTable(table, {
      put: (write) => (isSilent ? Promise.reject(new Error('no answer')) : table.put(write)),
    });
    const dying = { ...deps, table: silent };
    const taken = await ingestMany(dying, all);
    const [batch_id = ''] = await openBatches();
    clock.now += STALE_AFTER_MS;
    await batchStore.close(deps, batch_id);
    isSilent = true;
    await expect(taken.distribute()).rejects.toThrow('no answer');
    isSilent = false;
    const again = await ingestMany(dying, all);
    isSilent = true;
    await expect(again.distribute()).rejects.toThrow('no answer');
    await (await ingestMany(deps, all)).distribute();
    expect(await openBatches()).toContain(batch_id);
  });

  it('stay listed if another process closes their batch with an outdated read', async () => {
    const { deps, leads, openBatches, clock } = await aCaller();
    const taken = await ingestMany(deps, leads(10));
    const [batch_id = ''] = await openBatches();
    const { listed } = (await batchStore.read(deps, batch_id))!;
    clock.now += STALE_AFTER_MS;
    await taken.distribute();
    await batchStore.close(deps, batch_id, listed);
    expect(await openBatches()).toEqual([batch_id]);
    await batchStore.close(deps, batch_id, (await batchStore.read(deps, batch_id))!.listed);
    expect(await openBatches()).toEqual([]);
  });

  it('are distributed by the next call if a failed call left them unlisted', async () => {
    const { deps, leads, openBatches, clock } = await aCaller();
    const all = leads(10);
    const { lead_id } = all[0]!;
    await ingestMany(deps, all);
    const { batch_id = '' } = (await leadStore.get(deps, lead_id))!;
    await batchStore.close(deps, batch_id);
    clock.now += STALE_AFTER_MS / 2;
    await (await ingestMany(deps, all)).distribute();
    expect(deps.messages).toEqual([]);
    clock.now += 1;
    await (await ingestMany(deps, all.slice(0, 3))).distribute();
    expect(deps.messages).toEqual([{ batch_id }]);
    expect(await openBatches()).toContain(batch_id);
    // Leads that are distributed or were never in a batch need nothing.
    const few = leads(2);
    await (await ingestMany(deps, few)).distribute([few[0]!]);
    clock.now += STALE_AFTER_MS + 1;
    await (await ingestMany(deps, few)).distribute();
    expect(deps.messages).toHaveLength(1);
  });

  it('stay in flight for the reconciliation after a failure', async () => {
    const { deps, leads, states, openBatches, logged } = await aCaller();
    const distributeQueue = { send: () => Promise.reject(new Error('no answer')) };
    await (await ingestMany({ ...deps, distributeQueue }, leads(10))).distribute();
    expect(await openBatches()).toHaveLength(1);
    const few = leads(3);
    const reservations: typeof deps.reservations = {
      ...deps.reservations,
      reserve: async (order, lead, terms) => {
        if (lead.lead_id === few[1]!.lead_id) throw new Error('no answer');
        return deps.reservations.reserve(order, lead, terms);
      },
    };
    await (await ingestMany({ ...deps, reservations }, few)).distribute();
    expect(await states(few)).toEqual(['assigned', 'received', 'assigned']);
    expect(logged()).toMatchObject([
      { message: 'batch_left_in_flight' },
      { message: 'distribution_left_in_flight', lead: few[1]!.lead_id },
    ]);
  });
});
