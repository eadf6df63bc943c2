import { createOrderCache } from '#functions/data/orders/order-cache';
import type { Table } from '#functions/data/table/table';
import { raiseAlerts } from '#functions/domain/alerts/alerts';
import { FREQUENT_KINDS, WATCHED_KINDS } from '#functions/domain/alerts/conditions';
import { ALERT_TEXTS } from '#functions/platform/alert-texts';
import type { Runtime } from '#functions/platform/runtime';

/** A separate file, so that it is loaded on demand. @returns how many notifications were written */
export function alertAdmins(table: Table, runtime: Runtime, hourly: boolean): Promise<number> {
  return raiseAlerts(
    { table, runtime, orderCache: createOrderCache(table, runtime.now), texts: ALERT_TEXTS },
    hourly ? WATCHED_KINDS : FREQUENT_KINDS,
  );
}
