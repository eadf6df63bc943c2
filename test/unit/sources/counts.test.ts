/** What is counted of a source's leads. */
import { expect, it } from 'vitest';
import { createSourceStore } from '#functions/data/sources/source-store';
import { addSources } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

it('counts imported leads on their day, beyond a limit, and begins a day but once', async () => {
  const table = memoryTable();
  const store = createSourceStore(table);
  await addSources(table, 1, { per_day: 10, day_left: 3, in_total: 100, total_left: 50, day: '2026-05-01' });
  await store.count(1, 5, '2026-05-01');
  expect(await store.get(1)).toMatchObject({ day_left: -2, total_left: 45 });
  // Two at once on the next day, and one whose clock is behind.
  await Promise.all([store.count(1, 12, '2026-05-02'), store.count(1, 1, '2026-05-02')]);
  await store.count(1, 1, '2026-05-01');
  expect(await store.get(1)).toMatchObject({ day: '2026-05-02', day_left: -4, total_left: 31 });
});
