/** The audit trail: entries are only added; personal data are removed from them when a lead is erased. */
import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { indexed, type Key, keys } from '#functions/data/table/keys';
import type { Item, Put, Query, Table, Update } from '#functions/data/table/table';

export const AUDITED = ['buyer', 'order', 'lead', 'claim', 'template', 'setting', 'admin'] as const;
export type Audited = (typeof AUDITED)[number];

const changedValue = () =>
  personal(z.union([z.string(), z.number(), z.boolean(), z.null()]), {
    kept: 'struck out where it is the value of a personal field',
  });
const changeSchema = z.object({ field: z.string(), from: changedValue(), to: changedValue() });
/** A field that changed, as it is shown: euro, percent, and never a secret. */
export type Change = z.output<typeof changeSchema>;

export const entrySchema = z.object({
  at: z.string(),
  who: z.string(),
  action: z.string(),
  entity: z.enum(AUDITED),
  /** What never changes: for a buyer the internal id. */
  entity_id: z.string(),
  /** What admins call it: for a buyer its `buyer_id` at the time. */
  label: z.string(),
  changes: z.array(changeSchema),
});
export type Entry = z.output<typeof entrySchema>;

export interface AuditPage {
  readonly entries: readonly Entry[];
  /** The key of the last entry, where there are more. */
  readonly next: Key | undefined;
}

export interface AuditStore {
  add(entry: Put): Promise<void>;
  /** Newest first: of one entity, of one kind, or of everything. */
  list(
    of: { entity?: Audited | undefined; entityId?: string | undefined },
    page: { limit: number; after?: Key | undefined },
  ): Promise<AuditPage>;
  /**
   * The writes that remove the values of these fields from every entry of an entity; that they changed stays recorded.
   */
  struckOut(entity: Audited, entityId: string, fields: readonly string[]): Promise<Update[]>;
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
    async add(entry) {
      await table.put(entry);
    },

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

    async struckOut(entity, entityId, fields) {
      const items = await table.queryAll({ partition: keys.audited(entity, entityId), consistent: true });
      return items.flatMap((item) => {
        const { changes } = fromItem(item);
        if (!changes.some(({ field, from, to }) => fields.includes(field) && (from ?? to) !== null))
          return [];
        const struck = changes.map((change) =>
          fields.includes(change.field) ? { field: change.field, from: null, to: null } : change,
        );
        return [
          {
            key: { pk: String(item.pk), sk: String(item.sk) },
            update: 'SET changes = :changes',
            condition: 'attribute_exists(pk)',
            values: { ':changes': JSON.stringify(struck) },
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
