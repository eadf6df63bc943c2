/** Wires what becomes of a refused lead. Loaded with the first refusal, because most deliveries need none of it. */
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import type { GiveOn } from '#functions/domain/deliveries/deliveries';
import { giveOn } from '#functions/domain/distribution/give-on';
import { ledgerBatcherOf } from '#functions/ledger-batcher';
import type { Runtime } from '#functions/runtime';

export function createGiveOn(table: Table, runtime: Runtime): GiveOn {
  const deps = {
    table,
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    buyers: createBuyerStore(table),
    pool: createPoolStore(table),
    ledger: ledgerBatcherOf(table, runtime),
    runtime,
  };
  return (refused) => giveOn(deps, refused);
}
