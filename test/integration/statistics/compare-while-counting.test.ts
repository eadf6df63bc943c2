/** Statistics that are compared while leads are counted. */

import { expect } from 'vitest';
import { ingest } from '#functions/domain/distribution/distribution';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { count } from '#functions/domain/statistics/statistics';
import { aPerson } from '#test/factories/people';
import { addBuyers, changedTable, distributionOn, quietRuntime } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it.for<[string, boolean]>([
  ['only checked', false],
  ['rebuilt', true],
])(
  'finds no differences in correct statistics although leads are counted while they are %s',
  async ([, repair], { table }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 100 }]);
    const deps = { table, runtime: quietRuntime };
    let left = 3;
    const another = async () => {
      if (left === 0) return;
      left -= 1;
      await count(deps, [(await ingest(distributionOn(table), aPerson(), undefined)).lead_id]);
    };
    await another();
    const busy = changedTable(table, {
      async *scan(...asked) {
        await another();
        yield* table.scan(...asked);
      },
    });
    const rebuilt = await rebuildStatistics({ ...deps, table: busy }, repair);
    expect(rebuilt).toMatchObject({ differences: [], repaired: 0 });
  },
);
