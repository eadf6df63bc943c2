/** The audit trail: entries are only added; personal data are removed from them when a lead is erased. */
import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { indexed, type Key, keys } from '#functions/data/table/keys';
import type { Item, Put, Query, Table, Update } from '#functions/data/table/table';

export const AUDITED = ['buyer', 'order', 'lead', 'claim', 'template', 'source', 'setting', 'admin'] as const;
export type Audited = (typeof AUDITED)[number];

const changedValue = () =>
  personal(z.union([z.string(), z.number(), z.boolean(), z.null()]), {
    kept: 'removed where it is the value of a personal field',
  });
const changeSchema = z.object({ field: z.string(), from: changedValue(), to: changedValue() });
/** A field that changed, with both values as admins read them: in euro and percent, secrets left out. */
export type Change = z.output<typeof changeSchema>;

/** One change by somebody. */
export const entrySchema = z.object({
  /** ISO 8601 in UTC. */
  at: z.string(),
  /** The admin's name, or `link` for a buyer who used an order's link. */
  who: z.string(),
  action: z.string(),
  entity: z.enum(AUDITED),
  /** The id that never changes: for a buyer the internal number. */
  entity_id: z.string(),
  /** The name that admins know it by: for a buyer its `buyer_id` at the time. */
  label: z.string(),
  changes: z.array(changeSchema),
});
export type Entry = z.output<typeof entrySchema>;

export interface AuditPage {
  readonly entries: readonly Entry[];
  /** Where the next page begins; undefined on the last page. */
  readonly next: Key | undefined;
}

export interface AuditStore {
  /**
   * One page of entries, the newest first.
   * @param of one entity by both fields, all of its kind by `entity` alone, everything by neither
   * @param page.after `next` of the page before
   */
  list(
    of: { entity?: Audited | undefined; entityId?: string | undefined },
    page: { limit: number; after?: Key | undefined },
  ): Promise<AuditPage>;
  /**
   * The writes that remove the values of these fields from every entry of an entity. That they changed stays recorded.
   */
  valuesRemoved(entity: Audited, entityId: string, fields: readonly string[]): Promise<Update[]>;
}

/** The write of one entry, alone or within the transaction that it records. */
export function entryPut(entry: Entry, entryId: string): Put {
  const sortKey = indexed.at(entry.at, entryId);
  return {
    put: {
      ...keys.auditEntry(entry.entity, entry.entity_id, entry.at, entryId),
      ...entry,
      changes: JSON.stringify(entry.changes),
      gsi1pk: indexed.audit(),
      gsi1sk: sortKey,
      gsi2pk: indexed.auditOf(entry.entity),
      gsi2sk: sortKey,
    },
  };
}

const fromItem = (item: Item): Entry =>
  entrySchema.parse({ ...item, changes: JSON.parse(String(item.changes)) });

export function createAuditStore(table: Table): AuditStore {
  return {
    async list({ entity, entityId }, { limit, after }) {
      const { items, next } = await table.query({
        ...partitionOf(entity, entityId),
        descending: true,
        limit,
        ...(after !== undefined && { after: positionAfter(entity, entityId, after) }),
      });
      return {
        entries: items.map(fromItem),
        next: next && { pk: String(next.pk), sk: String(next.sk) },
      };
    },

    async valuesRemoved(entity, entityId, fields) {
      const items = await table.queryAll({ partition: keys.audited(entity, entityId), consistent: true });
      return items.flatMap((item) => {
        const { changes } = fromItem(item);
        if (!changes.some(({ field, from, to }) => fields.includes(field) && (from ?? to) !== null))
          return [];
        const blanked = changes.map((change) =>
          fields.includes(change.field) ? { field: change.field, from: null, to: null } : change,
        );
        return [
          {
            key: { pk: String(item.pk), sk: String(item.sk) },
            update: 'SET changes = :changes',
            condition: 'attribute_exists(pk)',
            values: { ':changes': JSON.stringify(blanked) },
          },
        ];
      });
    },
  };
}

function partitionOf(
  entity: Audited | undefined,
  entityId: string | undefined,
): Pick<Query, 'index' | 'partition'> {
  if (entity === undefined) return { index: 'gsi1', partition: indexed.audit() };
  if (entityId === undefined) return { index: 'gsi2', partition: indexed.auditOf(entity) };
  return { partition: keys.audited(entity, entityId) };
}

/** The position after which a listing continues; an entry has the same sort key in every index. */
function positionAfter(entity: Audited | undefined, entityId: string | undefined, { pk, sk }: Key): Item {
  if (entity === undefined) return { pk, sk, gsi1pk: indexed.audit(), gsi1sk: sk };
  return entityId === undefined ? { pk, sk, gsi2pk: indexed.auditOf(entity), gsi2sk: sk } : { pk, sk };
}
