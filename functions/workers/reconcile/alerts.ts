import { ALERT_TEXTS } from '#functions/alert-texts';
import { createAlerts } from '#functions/alerts';
import type { Table } from '#functions/data/table/table';
import { raiseAlerts } from '#functions/domain/alerts/alerts';
import type { Runtime } from '#functions/runtime';

/** Alerts admins. In a file of its own, which a start does not load. @returns how many notices were written */
export function alertAdmins(table: Table, runtime: Runtime, every: boolean): Promise<number> {
  return raiseAlerts({ ...createAlerts(table, runtime), texts: ALERT_TEXTS }, every);
}
