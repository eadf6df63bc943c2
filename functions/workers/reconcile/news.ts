import { createOrderCache } from '#functions/data/orders/order-cache';
import type { Table } from '#functions/data/table/table';
import { raiseNews } from '#functions/domain/orders/news';
import type { Runtime } from '#functions/platform/runtime';

/** Tells buyers their news. In a file of its own, which a start does not load. @returns how many letters are to be sent */
export function tellBuyers(table: Table, runtime: Runtime): Promise<number> {
  return raiseNews({
    table,
    orderCache: createOrderCache(table, runtime.now),
    runtime,
  });
}
