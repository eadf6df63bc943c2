/** The ledger batcher of a process, which all its functions share: in the cloud a process has one function, locally all. */
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import { LedgerBatcher } from '#functions/domain/distribution/ledger-batcher';
import type { Runtime } from '#functions/runtime';

/** The functions of a process have one runtime. By the names of tables, since tests have several. */
const batchers = new WeakMap<Runtime, Map<string, LedgerBatcher>>();

export function ledgerBatcherOf(table: Table, runtime: Runtime): LedgerBatcher {
  const ofRuntime = batchers.get(runtime) ?? new Map<string, LedgerBatcher>();
  batchers.set(runtime, ofRuntime);
  const batcher =
    ofRuntime.get(table.name) ??
    new LedgerBatcher({ pool: createPoolStore(table), orders: createOrderStore(table), runtime });
  ofRuntime.set(table.name, batcher);
  return batcher;
}
