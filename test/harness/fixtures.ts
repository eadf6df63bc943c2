/** What integration tests run on, started when a test asks for it. */
import { test } from 'vitest';
import { startQueues } from '#local/queues';
import { startTestCloud } from '#test/harness/cloud';
import { adminOn, distributionOn } from '#test/harness/distribution';
import { memoryEngine, startTestEngine } from '#test/harness/engine';
import { FaultyConnections } from '#test/harness/faults';
import { IN_MEMORY } from '#test/harness/memory-table';

/**
 * One for the file: `engine` for tables, `queues`, `connections` with faults, and `cloud`, which is the whole product.
 * One for each test: `table`, new and empty; `deps` and `admin`, what use cases need, on that table.
 */
export const it = test
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of other fixtures from the pattern.
  .extend('engine', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = await startTestEngine();
    onCleanup(() => engine.stop());
    return engine;
  })
  // oxlint-disable-next-line no-empty-pattern -- See above.
  .extend('cloud', { scope: 'file' }, async ({}, { onCleanup }) => {
    const cloud = await startTestCloud();
    onCleanup(() => cloud.stop());
    return cloud;
  })
  // oxlint-disable-next-line no-empty-pattern -- See above.
  .extend('queues', { scope: 'file' }, async ({}, { onCleanup }) => {
    const queues = await startQueues();
    onCleanup(() => queues.stop());
    return queues;
  })
  .extend('connections', { scope: 'file' }, ({ engine }, { onCleanup }) => {
    const connections = new FaultyConnections(IN_MEMORY ? undefined : engine.endpoint);
    onCleanup(() => connections.close());
    return connections;
  })
  .extend('table', ({ engine }) => engine.freshTable())
  .extend('deps', ({ table }) => distributionOn(table))
  .extend('admin', ({ table }) => adminOn(table));

/**
 * For tests that ask for the table thousands of times, as those that let a process die at every call: on the table in memory,
 * which answers in a tenth of the time and is compared with the engine by random operations. Where an engine is named
 * (`TEST_ENGINE=embedded`, once a week in CI), on that.
 */
export const itAtEveryCall =
  process.env.TEST_ENGINE === undefined
    ? // oxlint-disable-next-line no-empty-pattern -- See above.
      it.extend('engine', { scope: 'file' }, async ({}) => memoryEngine())
    : it;
