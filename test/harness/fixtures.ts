/**
 * Fixtures of integration tests, started on demand. `it` uses the in-memory table and product, which answer in a
 * fraction of the time and are compared with the engine by random operations. `itOnEngine` uses the embedded engine and
 * its queues. If `TEST_ENGINE` names an engine (once a week in CI), both use that.
 */
import { test } from 'vitest';
import { startTestCloud, type TestCloud } from '#test/harness/cloud';
import { adminOn, distributionOn } from '#test/harness/distribution';
import { memoryEngine, startTestEngine } from '#test/harness/engine';
import { FaultyConnections } from '#test/harness/faults';
import { startTestQueues } from '#test/harness/other-engine';

/**
 * Per file: `engine` for tables, `queues`, `connections` with faults, and `cloud`, the whole product. Per test: `table`,
 * new and empty; `deps` and `admin`, the contexts of use cases on that table.
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
    const queues = await startTestQueues();
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

/** The product of a file, for its tests and later hooks. @param on the file's own `it` */
export function cloudOfFile(on: typeof itOnEngine = it): TestCloud {
  const cloud = {} as TestCloud;
  on.beforeAll(({ cloud: started }) => void Object.assign(cloud, started));
  return cloud;
}
