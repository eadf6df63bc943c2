import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Table } from '#functions/data/table';
import { takeIn } from '#functions/domain/distribution';
import { addBuyers, distributionOn, person } from '#test/harness/distribution';
import { startTestEngine, type TestEngine } from '#test/harness/engine';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

/** A table that knows how many of its calls had to wait for one another. */
function withRoundTrips(table: Table): { table: Table; roundTrips: () => number } {
  let deepest = 0;
  let finished = 0;
  const proxy = new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        const depth = finished + 1;
        deepest = Math.max(deepest, depth);
        const result: unknown = await value.apply(target, args);
        finished = Math.max(finished, depth);
        return result;
      };
    },
  });
  return { table: proxy, roundTrips: () => deepest };
}

it('an assigned lead with one channel and 20 open orders costs at most 4 round trips, 12 write and 2 read units', async () => {
  const units = { read: 0, write: 0 };
  const table = await engine.freshTable(({ read, write }) => {
    units.read += read;
    units.write += write;
  });
  await addBuyers(
    table,
    Array.from({ length: 20 }, (_, at) => ({ id: `buyer-${at}`, probability: 5, limit: 1000 })),
  );
  for (let lead = 0; lead < 30; lead += 1) {
    const measured = withRoundTrips(table);
    units.read = 0;
    units.write = 0;
    const landed = await takeIn(distributionOn(measured.table), person(), undefined);
    expect(landed.status).toBe('assigned');
    expect(measured.roundTrips()).toBeLessThanOrEqual(4);
    expect(units.write).toBeLessThanOrEqual(12);
    expect(units.read).toBeLessThanOrEqual(2);
  }
});
