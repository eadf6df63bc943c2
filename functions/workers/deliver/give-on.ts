/** Loaded with the first refusal, because most deliveries do not need it. */
import type { Table } from '#functions/data/table/table';
import type { GiveOn } from '#functions/domain/deliveries/deliveries';
import { giveOn } from '#functions/domain/distribution/give-on';
import { ledgerBatcherOf } from '#functions/domain/distribution/ledger-batcher';
import type { Runtime } from '#functions/platform/runtime';

export function createGiveOn(table: Table, runtime: Runtime): GiveOn {
  const context = {
    table,
    ledger: ledgerBatcherOf({ table, runtime }),
    runtime,
  };
  return (refused) => giveOn(context, refused);
}
