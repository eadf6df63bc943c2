/** Claims on a real table: what reviews and reversals need. */
import type { Table } from '#functions/data/table/table';
import type { Runtime } from '#functions/platform/runtime';
import { adminOn, distributionOn, quietRuntime } from '#test/harness/distribution';

export function claimsOn(table: Table, runtime: Runtime = quietRuntime) {
  return {
    ...distributionOn(table, { runtime }),
    ...adminOn(table, runtime),
    personKey: async () => Buffer.alloc(32, 7),
  };
}
