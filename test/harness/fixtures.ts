/**
 * What integration tests run on, started when a test asks for it: `it` on the table and the product in memory, which answer in a
 * fraction of the time and are held to the engine by random operations; `itOnEngine` on the embedded engine and its queues. Where
 * an engine is named (`TEST_ENGINE`, once a week in CI), both run on that.
 */
import { test } from 'vitest';
import { startQueues } from '#local/queues';
import { startTestCloud } from '#test/harness/cloud';
import { adminOn, distributionOn } from '#test/harness/distribution';
import { memoryEngine, startTestEngine } from '#test/harness/engine';
import { FaultyConnections } from '#test/harness/faults';

/**
 * One for the file: `engine` for tables, `queues`, `connections` with faults, and `cloud`, which is the whole product.
 * One for each test: `table`, new and empty; `deps` and `admin`, what use cases need, on that table.
 */
export const itOnEngine = test
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
    const connections = new FaultyConnections(engine.isInMemory ? undefined : engine.endpoint);
    onCleanup(() => connections.close());
    return connections;
  })
  .extend('table', ({ engine }) => engine.freshTable())
  .extend('deps', ({ table }) => distributionOn(table))
  .extend('admin', ({ table }) => adminOn(table));

export const it =
  process.env.TEST_ENGINE === undefined
    ? itOnEngine
        // oxlint-disable-next-line no-empty-pattern -- See above.
        .extend('engine', { scope: 'file' }, async ({}) => memoryEngine())
        // oxlint-disable-next-line no-empty-pattern -- See above.
        .extend('cloud', { scope: 'file' }, async ({}, { onCleanup }) => {
          const cloud = await startTestCloud({}, { inMemory: true });
          onCleanup(() => cloud.stop());
          return cloud;
        })
    : itOnEngine;
