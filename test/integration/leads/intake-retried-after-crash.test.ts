/** A lead whose first request died, posted again by two at once. */

import { expect } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import { keys } from '#functions/data/table/keys';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { takeInOnce } from '#functions/domain/distribution/intake';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  changedTable,
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
  const one = (on = table) => distributionOn(on, { runtime });
  const dying = changedTable(table, {
    put: (write) => (write.put.sk === keys.lead('').sk ? Promise.reject(new Killed()) : table.put(write)),
  });
  for (let lead = 0; lead < 8; lead += 1) {
    const who = aPerson();
    const key = `key-${lead}`;
    await takeInOnce(one(dying), key, who, undefined).catch(() => undefined);
    now += 61_000;
    await Promise.allSettled([
      takeInOnce(one(), key, who, undefined),
      takeInOnce(one(), key, who, undefined),
    ]);
  }
  expect(await violations(table, 8)).toEqual([]);
  expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
  expect((await poolStore.read(one())).ledger.deficits).toEqual({ 1: 0, 2: 0 });
});
