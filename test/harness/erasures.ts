/** Erasures and withdrawals on the in-memory table. */

import type { Table } from '#functions/data/table/table';
import type { ErasuresContext } from '#functions/domain/leads/erasures';
import { createErasure } from '#functions/platform/erasure';
import { adminOn, tickingRuntime } from '#test/harness/distribution';
import { fingerprintsOf } from '#test/harness/intake';
import { memoryTable, modelOf } from '#test/harness/memory-table';
import { HOUR_MS } from '#test/harness/time';

export const erasureWorld = (table = memoryTable(), begins?: number) => ({
  table,
  ...tickingRuntime(begins),
});
export type ErasureWorld = ReturnType<typeof erasureWorld>;

/** The same an hour later, on a table of its own. */
export const laterWorld = ({ table, runtime }: ErasureWorld) =>
  erasureWorld(memoryTable({}, modelOf(table).copy()), runtime.now().getTime() + HOUR_MS);

/** @param on the table of a process that dies */
export function erasuresOn(
  { table, runtime }: Pick<ErasureWorld, 'table' | 'runtime'>,
  on: Table = table,
  changes: Partial<ErasuresContext> = {},
): ErasuresContext {
  return {
    ...createErasure(on, runtime, { ...adminOn(on, runtime), fingerprintsOf }),
    files: { count: async () => 0, clear: async () => undefined },
    recordErased: async () => undefined,
    forgetSidecar: async () => true,
    ...changes,
  };
}
