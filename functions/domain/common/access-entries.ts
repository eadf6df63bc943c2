/** Access log: an admin's first access to an object on a day becomes an entry of the audit trail. */
import { type Audited, accessPut } from '#functions/data/administration/audit-store';
import type { Table } from '#functions/data/table/table';
import type { Runtime } from '#functions/platform/runtime';

export interface Access {
  readonly who: string;
  readonly action: string;
  readonly entity: Audited;
  readonly entityId: string | number;
}

/** Records an access once a day (UTC); awaited before the data are returned. */
export type RecordAccess = (access: Access) => Promise<void>;

/** Bounds the memory. A repeated access that is no longer remembered costs one write, which its condition rejects. */
const MAX_REMEMBERED = 10_000;

interface RecorderContext {
  readonly table: Pick<Table, 'put'>;
  readonly runtime: Pick<Runtime, 'now' | 'newId'>;
}

export function createAccessRecorder({ table, runtime }: RecorderContext): RecordAccess {
  const recorded = new Set<string>();
  let today = '';
  return async ({ who, action, entity, entityId }) => {
    const at = runtime.now().toISOString();
    const day = at.slice(0, 'YYYY-MM-DD'.length);
    if (day !== today || recorded.size >= MAX_REMEMBERED) recorded.clear();
    today = day;
    const id = String(entityId);
    const name = JSON.stringify([who, action, entity, id]);
    if (recorded.has(name)) return;
    await table.put(
      accessPut({ at, who, action, entity, entity_id: id, label: id, changes: [] }, runtime.newId()),
    );
    recorded.add(name);
  };
}
