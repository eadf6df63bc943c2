/**
 * Who looked at what: the first look of a day by an admin at a thing is an entry of the audit trail. Every entry is one write, on
 * the condition that there is none; whoever asks again and again costs none.
 */
import { type Audited, lookPut } from '#functions/data/administration/audit-store';
import type { Table } from '#functions/data/table/table';
import type { Runtime } from '#functions/platform/runtime';

export interface Look {
  /** The admin's user name. */
  readonly who: string;
  /** A verb in the past tense, snake case: `opened`, `exported`, `link_opened`. */
  readonly action: string;
  readonly entity: Audited;
  readonly entityId: string | number;
}

/** Records a look, unless it is on record for today (UTC); to be awaited before what was asked for is answered. */
export type RecordLook = (look: Look) => Promise<void>;

/** Of one day; more are forgotten, and then cost a refused write. */
const MAX_REMEMBERED = 10_000;

/** Remembers what this process recorded, so that a poll costs nothing. */
export function createLookRecorder({
  table,
  runtime,
}: {
  readonly table: Pick<Table, 'put'>;
  readonly runtime: Pick<Runtime, 'now' | 'newId'>;
}): RecordLook {
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
      lookPut({ at, who, action, entity, entity_id: id, label: id, changes: [] }, runtime.newId()),
    );
    recorded.add(name);
  };
}
