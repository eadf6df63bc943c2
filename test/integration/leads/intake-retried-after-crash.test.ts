/** A lead whose first request died, posted again by two at once. */

import { expect } from 'vitest';
import { createIntakeKeyStore } from '#functions/data/leads/idempotency-key-store';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { takeInOnce } from '#functions/domain/distribution/intake';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  distributionOn,
  Killed,
  quietRuntime,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it('distributes a lead once that is posted twice at once after its first request crashed', async ({
  table,
}) => {
  await addBuyers(table, [
    { id: 'a', probability: 50, limit: 100 },
    { id: 'b', probability: 50, limit: 100 },
  ]);
  let now = Date.parse('2026-11-20T10:00:00.000Z');
  const runtime = { ...quietRuntime, now: () => new Date(now) };
  const one = () => ({
    ...distributionOn(table, { runtime }),
    buyers: adminOn(table).buyers,
    intakeKeys: createIntakeKeyStore(table),
  });
  for (let lead = 0; lead < 8; lead += 1) {
    const who = aPerson();
    const key = `key-${lead}`;
    const first = one();
    const dies = { ...first, leads: { ...first.leads, receive: () => Promise.reject(new Killed()) } };
    await takeInOnce(dies, key, who, undefined).catch(() => undefined);
    now += 61_000;
    await Promise.allSettled([
      takeInOnce(one(), key, who, undefined),
      takeInOnce(one(), key, who, undefined),
    ]);
  }
  expect(await violations(table, 8)).toEqual([]);
  expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
  expect((await one().pool.read()).ledger.deficits).toEqual({ 1: 0, 2: 0 });
});
