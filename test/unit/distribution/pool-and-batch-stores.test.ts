/** Buyer capacity and batch passes are read back as they were stored. Runs on the in-memory table. */

import { expect, it } from 'vitest';
import type { PoolEntry } from '#functions/data/buyers/buyer';
import * as batchStore from '#functions/data/distribution/batch-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { capacityStateOf, type Order } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import { aPoolEntry } from '#test/factories/buyers';
import { anOrder, aPace } from '#test/factories/orders';
import { memoryTable, memoryTableWith } from '#test/harness/memory-table';

/** On a Sunday, when the day ends with the week. */
const NOON = '2026-05-10T12:00:00.000Z';
const MIDNIGHT = '2026-05-10T22:00:00.000Z';
const CAP = { capped_by: 'daily_cap_reached', capped_until: MIDNIGHT } as const;

it('recorded capacity replaces the previous state, and is distinguished from every other state', async () => {
  const table = await memoryTableWith([poolStore.entryCreated(aPoolEntry()).put]);
  const at = new Date(NOON);
  const paced = (day: number, week: number) => anOrder({ pace: aPace('2026-05-10', day, week) });
  const all: [Order, Partial<PoolEntry>][] = [
    [anOrder({ leads_received: 10 }), { has_capacity: false }],
    [paced(5, 5), { paced: true, ...CAP }],
    [paced(1, 9), { paced: true, ...CAP, capped_by: 'weekly_cap_reached' }],
    [paced(1, 1), { paced: true }],
    [anOrder(), {}],
  ];
  const isNoted = (noted: Partial<PoolEntry>, order: Order, when = at) =>
    poolStore.agrees(aPoolEntry(noted), capacityStateOf(order, {}, at), when);
  for (const [order, noted] of all) {
    const before = (await poolStore.entry({ table }, 7))!;
    const after = aPoolEntry({ ...noted, version: before.version });
    expect(poolStore.withCapacity(before, order, at)).toEqual(after);
    await poolStore.noteCapacity({ table }, before, capacityStateOf(order, {}, at));
    expect(await poolStore.entry({ table }, 7)).toEqual({ ...after, version: before.version + 1 });
    expect(all.filter(([other]) => isNoted(noted, other))).toEqual([[order, noted]]);
  }
  const capped = { paced: true, ...CAP };
  expect(isNoted({ ...capped, capped_until: '2026-05-11T22:00:00.000Z' }, paced(5, 5))).toBe(false);
  expect(isNoted(capped, paced(1, 1), new Date(MIDNIGHT))).toBe(true);
});

const LEAD: batchStore.BatchLead = { lead_id: 'a', anlagebetrag: 1, laufzeit: 0, consent: ['phone'] };

it('a batch pass is read as it was stored, with criteria, hours, caps and order capacities', async () => {
  const context = { table: memoryTable() };
  const leadsOfSources = [
    LEAD,
    { ...LEAD, source: 3 },
    { lead_id: 'b', anlagebetrag: 1, laufzeit: 9, source: 4 },
  ];
  const batch = { batch_id: 'batch', received_at: NOON, leads: leadsOfSources };
  const entry = batchStore.passEntrySchema.parse(aPoolEntry());
  const schedule = { weekdays: [1, 2], from: '08:00', to: '18:00', holidays_off: true };
  const entries = [
    { ...entry, schedule },
    { ...entry, buyer: 10, max_investment: 5, max_term: 0 },
    { ...entry, buyer: 11, min_term: 12, requires_consent: true },
    { ...entry, buyer: 12, sources_allowed: [1, 20] },
    { ...entry, buyer: 13, sources_excluded: [3], max_term: 5 },
    { ...entry, buyer: 8, ...CAP, manual_review: true, has_capacity: false },
    { ...entry, buyer: 9, ...CAP, schedule, active: false, order_id: null },
  ];
  const leads = [
    { position: 0, winner: 7, draw: 0.25 },
    { position: 1, winner: null, failed: 'phone_verification_failed' },
  ] as const;
  const plain = { pass: 2, decided_at: NOON, full: [8], deficits: { 7: 5 }, entries: [entry], leads };
  const first: batchStore.BatchPass = {
    ...plain,
    pass: 1,
    entries,
    capped: [[9, 'weekly_cap_reached']],
    left: [[12, 3, 'limit_reached']],
  };
  const settle = (pass: batchStore.BatchPass) => batchStore.settle(context, batch, pass, undefined);
  await batchStore.open(context, batch);
  expect(await settle(first)).toEqual({ settled: true });
  expect(await settle({ ...first, leads: [] })).toEqual({ settled: false, pass: first });
  await settle({ ...plain, capped: [], left: [] });
  await settle({ ...plain, pass: 3 });
  const read = await batchStore.read(context, 'batch');
  expect(read?.leads).toStrictEqual(leadsOfSources);
  expect(read?.passes).toStrictEqual([first, plain, { ...plain, pass: 3 }]);
  expect(await context.table.get(keys.batchPass('batch', 2))).not.toHaveProperty('paces');
});
