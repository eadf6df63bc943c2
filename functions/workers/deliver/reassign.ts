/** Loaded with the first refusal, because most deliveries do not need it. */
import type { Table } from '#functions/data/table/table';
import type { Reassign } from '#functions/domain/deliveries/deliveries';
import { ledgerBatcherOf } from '#functions/domain/distribution/ledger-batcher';
import { reassign } from '#functions/domain/distribution/reassign';
import type { Runtime } from '#functions/platform/runtime';

export function createReassign(table: Table, runtime: Runtime): Reassign {
  const context = { table, ledger: ledgerBatcherOf({ table, runtime }), runtime };
  return (refused) => reassign(context, refused);
}
