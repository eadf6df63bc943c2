import { createOrderCache } from '#functions/data/orders/order-cache';
import type { Table } from '#functions/data/table/table';
import { raiseNews } from '#functions/domain/orders/news';
import type { Runtime } from '#functions/platform/runtime';

/** In a file of its own, loaded on demand. @returns how many e-mails are queued */
export function tellBuyers(table: Table, runtime: Runtime): Promise<number> {
  return raiseNews({
    table,
    orderCache: createOrderCache(table, runtime.now),
    runtime,
  });
}
