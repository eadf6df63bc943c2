/** Counters of a source's leads. */

import { expect, it } from 'vitest';
import * as sourceCounts from '#functions/data/sources/source-counts';
import * as sourceStore from '#functions/data/sources/source-store';
import { addSources } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

it('counts imported leads on their day, even above the limit, and starts each day once', async () => {
  const table = memoryTable();
  await addSources(table, 1, { per_day: 10, day_left: 3, in_total: 100, total_left: 50, day: '2026-05-01' });
  await sourceCounts.count({ table }, 1, 5, '2026-05-01');
  expect(await sourceStore.get({ table }, 1)).toMatchObject({ day_left: -2, total_left: 45 });
  // Two concurrent leads on the next day, and one with a slow clock.
  await Promise.all([
    sourceCounts.count({ table }, 1, 12, '2026-05-02'),
    sourceCounts.count({ table }, 1, 1, '2026-05-02'),
  ]);
  await sourceCounts.count({ table }, 1, 1, '2026-05-01');
  expect(await sourceStore.get({ table }, 1)).toMatchObject({
    day: '2026-05-02',
    day_left: -4,
    total_left: 31,
  });
});
