/** What is stored of the capacity of buyers and of the passes of a batch, and read again. On the table in memory. */

import { describe, expect, it } from 'vitest';
import type { PoolEntry } from '#functions/data/buyers/buyer';
import * as batchStore from '#functions/data/distribution/batch-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { CapacityState } from '#functions/data/orders/order';
import { aPoolEntry } from '#test/factories/buyers';
import { memoryTable, memoryTableWith } from '#test/harness/memory-table';

const NOON = '2026-05-04T12:00:00.000Z';
const MIDNIGHT = '2026-05-04T22:00:00.000Z';
const SCHEDULE = { weekdays: [1, 2], from: '08:00', to: '18:00', holidays_off: true };
const OPEN: CapacityState = { has_capacity: true, paced: false, capped: undefined };
const CAPPED: CapacityState = {
  has_capacity: true,
  paced: true,
  capped: { by: 'daily_cap_reached', until: new Date(MIDNIGHT) },
};
const CAP = { capped_by: 'daily_cap_reached', capped_until: MIDNIGHT } as const;
const capped = { ...CAP, paced: true };

describe('the capacity of a buyer', () => {
  it.each<[string, Partial<PoolEntry>, CapacityState, boolean]>([
    ['open', {}, OPEN, true],
    ['full', { has_capacity: false }, OPEN, false],
    ['paced', { paced: true }, OPEN, false],
    ['paced, as it is', { paced: true }, { ...OPEN, paced: true }, true],
    ['open, but capped', { paced: true }, CAPPED, false],
    ['capped', capped, CAPPED, true],
    ['capped by another cap', { ...capped, capped_by: 'weekly_cap_reached' }, CAPPED, false],
    ['capped for longer', { ...capped, capped_until: '2026-05-05T22:00:00.000Z' }, CAPPED, false],
    ['capped, but open', capped, { ...OPEN, paced: true }, false],
    ['capped until now', { ...capped, capped_until: NOON }, { ...OPEN, paced: true }, true],
  ])('noted as %s is told from what its order says', (_, noted, state, same) => {
    expect(poolStore.saysSo(aPoolEntry(noted), state, new Date(NOON))).toBe(same);
  });

  it('is noted in place of the one before, unless the entry has changed', async () => {
    const table = await memoryTableWith([poolStore.entryCreated(aPoolEntry()).put]);
    let before = aPoolEntry();
    for (const [state, fields] of [
      [CAPPED, capped],
      [{ ...OPEN, has_capacity: false }, { has_capacity: false }],
    ] as const) {
      const version = before.version + 1;
      await poolStore.noteCapacity({ table }, before, state);
      await poolStore.noteCapacity({ table }, before, OPEN);
      expect(await poolStore.entry({ table }, 7)).toEqual(aPoolEntry({ ...fields, version }));
      expect(poolStore.withCapacity(before, state)).toEqual(aPoolEntry({ ...fields, version: version - 1 }));
      before = aPoolEntry({ ...fields, version });
    }
  });
});

describe('a pass of a batch', () => {
  it('is read as it was stored, with the hours, caps and capacities that its choices follow from', async () => {
    const context = { table: memoryTable() };
    const batch = { batch_id: 'batch', received_at: NOON, leads: [{ lead_id: 'a', anlagebetrag: 1 }] };
    const entry = batchStore.passEntrySchema.parse(aPoolEntry());
    const choices = {
      decided_at: NOON,
      full: [8],
      deficits: { 7: 5 },
      leads: [
        { position: 0, winner: 7, draw: 0.25 },
        { position: 1, winner: null, failed: 'phone_verification_failed' },
      ],
    } as const;
    const entries = [
      entry,
      { ...entry, buyer: 8, schedule: SCHEDULE },
      { ...entry, buyer: 9, ...CAP, order_id: null, manual_review: true },
      { ...entry, buyer: 10, ...CAP, schedule: SCHEDULE, active: false },
    ];
    const pass: batchStore.BatchPass = {
      ...choices,
      pass: 1,
      entries,
      capped: [[9, 'weekly_cap_reached']],
      left: [[12, 3, 'limit_reached']],
    };
    await batchStore.open(context, batch);
    expect(await batchStore.settle(context, batch, pass, undefined)).toEqual({ settled: true });
    expect(await batchStore.settle(context, batch, { ...pass, leads: [] }, undefined)).toEqual({
      settled: false,
      pass,
    });
    const plain = { ...choices, pass: 2, entries: [entry] };
    await batchStore.settle(context, batch, { ...plain, capped: [], left: [] }, undefined);
    expect((await batchStore.read(context, 'batch'))?.passes).toStrictEqual([pass, plain]);
  });
});
