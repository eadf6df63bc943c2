/** Caps and opening hours with the whole distribution on a table, checked by counting the leads. */

import { describe, expect, it } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { assignByHand, ingest } from '#functions/domain/distribution/distribution';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { deleteLead } from '#functions/domain/leads/leads';
import { changeLimit } from '#functions/domain/orders/orders';
import { type Schedule } from '#shared/rules/schedule';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  type BuyerPlan,
  distributionOn,
  ingestionOn,
  itemsOf,
  leadsAmong,
  manyLeads,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const OFFICE: Schedule = { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', holidays_off: true };

/** A product with a clock that only the test moves. */
async function aProduct(plans: readonly BuyerPlan[], start = '2026-11-23T10:00:00Z') {
  let now = new Date(start);
  const runtime = { ...quietRuntime, now: () => now };
  const table: Table = memoryTable();
  await addBuyers(table, plans, runtime);
  const deps = distributionOn(table, { runtime });
  const admin = adminOn(table, runtime);
  const leads = async () => leadsAmong(await itemsOf(table));
  return {
    table,
    deps,
    admin,
    leads,
    now: () => now,
    moveTo: (instant: string) => {
      now = new Date(instant);
    },
    later: (hours: number) => {
      now = new Date(now.getTime() + hours * 3_600_000);
    },
    ingest: (anlagebetrag = 3_000_000) => ingest(deps, { ...aPerson(), anlagebetrag }, undefined),
    ingestMany: async (count: number) => {
      const taking = ingestionOn(table, { runtime });
      const at = now.toISOString();
      const many = manyLeads(count, () => ({ received_at: at, in_flight_since: at }));
      await (await ingestMany(taking, many)).distribute();
      for (const { batch_id, absent } of taking.messages) await distributeBatch(deps, batch_id, absent);
      return many.map(({ lead_id }) => lead_id);
    },
    /** Runs what the minutely run and the stream do. */
    minute: async () => {
      await reconcile(deps);
      await redistribute(deps, new Date(now.getTime() + 1));
    },
  };
}

const assignedTo = (leads: readonly Lead[], buyer: number) =>
  leads.filter((lead) => lead.status === 'assigned' && lead.buyer === buyer).length;

describe('a daily cap', () => {
  it('is exact for single leads and batches, and other buyers get the rest', async () => {
    const product = await aProduct([
      { id: 'a', probability: 80, limit: 100, caps: { daily_cap: 5 } },
      { id: 'b', probability: 20, limit: 100 },
    ]);
    await Promise.all(Array.from({ length: 16 }, () => product.ingest()));
    expect(assignedTo(await product.leads(), 1)).toBe(5);
    expect(await poolStore.entry(product.deps, 1)).toMatchObject({
      paced: true,
      has_capacity: true,
      capped_by: 'daily_cap_reached',
      capped_until: '2026-11-23T23:00:00.000Z',
    });
    product.moveTo('2026-11-24T10:00:00Z');
    await product.ingestMany(20);
    expect(assignedTo(await product.leads(), 1)).toBe(10);
    expect(assignedTo(await product.leads(), 2)).toBe(26);
    expect((await verifyDecisions(product.table.scan())).disagreements).toEqual([]);
  });

  it('makes leads wait until the next day, which has the same cap', async () => {
    const product = await aProduct([{ id: 'a', probability: 80, limit: 100, caps: { daily_cap: 2 } }]);
    for (let count = 0; count < 5; count += 1) await product.ingest();
    expect((await product.leads()).filter(({ reason }) => reason === 'waits_for_opening')).toHaveLength(3);
    const capped = await poolStore.entry(product.deps, 1);
    await product.minute();
    expect(await poolStore.entry(product.deps, 1)).toEqual(capped);
    expect(assignedTo(await product.leads(), 1)).toBe(2);
    product.moveTo('2026-11-23T23:00:30Z');
    await product.minute();
    expect(assignedTo(await product.leads(), 1)).toBe(4);
    expect((await poolStore.entry(product.deps, 1))?.capped_until).toBe('2026-11-24T23:00:00.000Z');
  });

  it('counts earlier leads of the day, and ends when it is removed', async () => {
    const product = await aProduct([{ id: 'a', probability: 80, limit: 100 }], '2026-11-22T12:00:00Z');
    await product.ingest();
    product.moveTo('2026-11-23T12:00:00Z');
    for (let count = 0; count < 3; count += 1) await product.ingest();
    // The highest number belongs to a removed lead.
    await deleteLead(product.admin, 'ada', (await product.ingest()).lead_id);
    const change = (caps: object) => changeLimit(product.admin, 'ada', 'a', 100, { caps });
    expect((await change({ daily_cap: 3, weekly_cap: 9 })).pace).toMatchObject({
      day_received: 3,
      day_from: 1,
      week_received: 3,
      week_from: 1,
    });
    expect(await product.ingest()).toMatchObject({ status: 'pending', reason: 'waits_for_opening' });
    await change({ daily_cap: 4 });
    expect((await poolStore.entry(product.deps, 1))?.capped_until).toBeUndefined();
    await product.minute();
    expect(assignedTo(await product.leads(), 1)).toBe(5);
    expect((await change({ daily_cap: null, weekly_cap: null })).pace).toBeUndefined();
    expect(await product.ingest()).toMatchObject({ status: 'assigned' });
  });

  it('does not apply to manual assignments, nor do opening hours, even for the first lead of a day', async () => {
    const paced = { caps: { weekly_cap: 1 }, schedule: OFFICE };
    const product = await aProduct([{ id: 'a', probability: 50, limit: 100, ...paced }]);
    await product.ingest();
    product.moveTo('2026-11-24T20:00:00Z');
    const { lead_id } = await product.ingest();
    await assignByHand(product.deps, 'ada', lead_id, { person: {}, buyerId: 'a' });
    expect(assignedTo(await product.leads(), 1)).toBe(2);
  });
});

describe('opening hours', () => {
  it('make leads wait until they begin, and shares then continue without a burst', async () => {
    const product = await aProduct(
      [
        { id: 'a', probability: 50, limit: 100, schedule: OFFICE },
        { id: 'b', probability: 50, limit: 100, minimum: 20_000 },
      ],
      '2026-11-20T17:00:00Z',
    );
    // Only the other buyer is eligible for ten leads; getting all of them puts it neither behind nor ahead.
    for (let count = 0; count < 10; count += 1) await product.ingest();
    const small = await product.ingest(1_000_000);
    expect(small).toMatchObject({ status: 'pending', reason: 'waits_for_opening' });
    await product.minute();
    expect((await leadStore.get(product.deps, small.lead_id))?.status).toBe('pending');
    product.moveTo('2026-11-23T07:00:30Z');
    await product.minute();
    expect((await leadStore.get(product.deps, small.lead_id))?.buyer).toBe(1);
    expect((await poolStore.entry(product.deps, 1))?.opened_at).toBe('2026-11-23T07:00:00.000Z');
    for (let count = 0; count < 10; count += 1) await product.ingest();
    const leads = await product.leads();
    expect([assignedTo(leads, 1), assignedTo(leads, 2)]).toEqual([6, 15]);
    expect((await verifyDecisions(product.table.scan())).disagreements).toEqual([]);
  });

  it('are recorded once for each opening, and only for buyers that can take leads', async () => {
    const product = await aProduct([
      { id: 'a', probability: 50, limit: 100, schedule: OFFICE },
      { id: 'b', probability: 50, schedule: OFFICE },
    ]);
    await product.minute();
    const entries = (await poolStore.read(product.deps)).entries;
    expect(entries.map(({ opened_at }) => opened_at)).toEqual(['2026-11-23T07:00:00.000Z', undefined]);
    product.later(1);
    await product.minute();
    expect((await poolStore.read(product.deps)).entries).toEqual(entries);
  });
});
