/** Deliveries that failed together are not retried together: waits have jitter, and are never shorter than planned. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { type DeliverContext, deliver } from '#functions/domain/deliveries/deliveries';
import { nextAttemptAt } from '#functions/domain/deliveries/retry-schedule';
import { aDeliverMessage, aDelivery, aReport } from '#test/factories/deliveries';
import { deliverDepsOn, putDelivery, runtimeAt } from '#test/harness/deliveries';
import { memoryTable } from '#test/harness/memory-table';

const NOW = new Date('2026-11-20T10:00:00.000Z');
const MINUTE_MS = 60_000;
const DRAWS = 1_000;

/** Numbers in [0, 1) by a linear congruential generator with the constants of Numerical Recipes. */
function drawsFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (1_664_525 * state + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

describe.each([
  [1, 1],
  [2, 5],
  [3, 15],
  [4, 60],
  [5, 60],
  [23, 60],
])('retry after attempt %i, planned after %i minutes', (attempts, minutes) => {
  const random = drawsFrom(attempts);
  const waits = Array.from(
    { length: DRAWS },
    () => nextAttemptAt(attempts, NOW, NOW, random())!.getTime() - NOW.getTime(),
  );
  const plannedMs = minutes * MINUTE_MS;

  it('is never early and at most a tenth late', () => {
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(plannedMs);
    expect(Math.max(...waits)).toBeLessThan(plannedMs * 1.1);
  });

  it('is spread evenly over that tenth', () => {
    const inTenths = Array<number>(10).fill(0);
    for (const wait of waits) inTenths[Math.floor(((wait - plannedMs) / (plannedMs * 0.1)) * 10)]! += 1;
    // Each bucket has 100 on average with a standard deviation of 9.5; the bound is five of them.
    for (const times of inTenths) expect(Math.abs(times - DRAWS / 10)).toBeLessThan(48);
  });
});

it('a time requested by the partner is stored without jitter', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
      const asked = new Date(NOW.getTime() + 10 * MINUTE_MS);
      expect(nextAttemptAt(1, NOW, NOW, random, asked)).toEqual(asked);
    }),
  );
});

it('a worker draws the jitter for each delivery separately', async () => {
  const random = drawsFrom(7);
  const dueAt = new Set<string>();
  for (let leads = 0; leads < 20; leads += 1) {
    const table = memoryTable();
    await putDelivery(table, aDelivery({ created_at: NOW.toISOString() }));
    const deps: DeliverContext = deliverDepsOn(
      table,
      { send: async () => aReport({ outcome: 'transient', error: 'down' }) },
      {
        runtime: { ...runtimeAt(() => NOW), random },
      },
    );
    await deliver(deps, aDeliverMessage());
    const { next_attempt_at } = (await deliveryStore.get(deps, aDelivery().lead_id, aDelivery().channel))!;
    dueAt.add(next_attempt_at!);
  }
  expect(dueAt.size).toBe(20);
});
