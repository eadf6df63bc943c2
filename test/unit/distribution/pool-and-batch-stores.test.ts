/** Buyer capacity and batch passes are read back as they were stored. Runs on the in-memory table. */

import { expect, it } from 'vitest';
import * as batchStore from '#functions/data/distribution/batch-store';
import { aPoolEntry } from '#test/factories/buyers';
import { memoryTable } from '#test/harness/memory-table';

const NOON = '2026-05-04T12:00:00.000Z';
const MIDNIGHT = '2026-05-04T22:00:00.000Z';
const CAP = { capped_by: 'daily_cap_reached', capped_until: MIDNIGHT } as const;

it('a batch pass is read as it was stored, with hours, caps and order capacities', async () => {
  const context = { table: memoryTable() };
  const batch = { batch_id: 'batch', received_at: NOON, leads: [{ lead_id: 'a', anlagebetrag: 1 }] };
  const entry = batchStore.passEntrySchema.parse(aPoolEntry());
  const schedule = { weekdays: [1, 2], from: '08:00', to: '18:00', holidays_off: true };
  const entries = [
    { ...entry, schedule },
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
  expect((await batchStore.read(context, 'batch'))?.passes).toStrictEqual([first, plain]);
});
