import { createOrderCache } from '#functions/data/orders/order-cache';
import type { Table } from '#functions/data/table/table';
import { raiseBuyerNotifications } from '#functions/domain/orders/notification-preferences';
import type { Runtime } from '#functions/platform/runtime';

/** A separate file, so that it is loaded on demand. @returns how many e-mails are queued */
export function notifyBuyers(table: Table, runtime: Runtime): Promise<number> {
  return raiseBuyerNotifications({ table, orderCache: createOrderCache(table, runtime.now), runtime });
}
