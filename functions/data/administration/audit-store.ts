/** The audit trail: entries are only added; erasing a lead removes personal data from them. */

import * as z from 'zod/mini';
import {
  type Committed,
  erasedChanges,
  isCommitted,
  leafOf,
} from '#functions/data/administration/audit-commitments';
import type { DataContext } from '#functions/data/context';
import { consentItemSchema, consentLeaf, isConsent } from '#functions/data/leads/consent';
import { personal } from '#functions/data/personal';
import { newItem } from '#functions/data/table/items';
import { indexed, KEY_ATTRIBUTES, type Key, keys } from '#functions/data/table/keys';
import type { Item, Put, Query, Update } from '#functions/data/table/table';
import { AUDITED } from '#shared/rules/constants';

export type Audited = (typeof AUDITED)[number];

const changedValue = () =>
  personal(z.union([z.string(), z.number(), z.boolean(), z.null()]), {
    kept: 'removed where it is the value of a personal field',
  });
const changeSchema = z.object({ field: z.string(), from: changedValue(), to: changedValue() });
/** With both values as admins read them: in euro and percent, without secrets. */
export type Change = z.output<typeof changeSchema>;

export const entrySchema = z.object({
  at: z.string(),
  /** The admin's name, or `link` for a buyer who used an order's link. */
  who: z.string(),
  action: z.string(),
  entity: z.enum(AUDITED),
  entity_id: z.string(),
  /** The name that admins know: for a buyer its `buyer_id` at the time. */
  label: z.string(),
  changes: z.array(changeSchema),
});
export type Entry = z.output<typeof entrySchema>;

const storedEntrySchema = z.extend(entrySchema, {
  seed: z.optional(z.string()),
  changes: z.array(
    z.extend(changeSchema, { salt: z.optional(z.string()), commitment: z.optional(z.string()) }),
  ),
});

export interface Sealable {
  readonly key: Key;
  readonly leaf: string;
}

export interface AuditPage {
  readonly entries: readonly Entry[];
  readonly next: AuditPosition | undefined;
}

export interface TrailPart {
  readonly accesses?: boolean | undefined;
  readonly entity?: Audited | undefined;
  readonly entityId?: string | undefined;
}

export interface AuditPosition extends Key {
  readonly listed: string;
}

export interface EntryPlace {
  readonly key: Key;
  readonly at: string;
}

/** @param seed 128 random bits, base64url */
export function entryPut(entry: Entry, entryId: string, seed: string): Put {
  return {
    put: {
      ...keys.auditEntry(entry.entity, entry.entity_id, entry.at, entryId),
      ...entryItem(entry, entryId),
      ...(entry.changes.length > 0 && { seed }),
      gsi1pk: indexed.audit(),
      gsi2pk: indexed.auditOf(entry.entity),
    },
  };
}

/** The admin's first access of the day; the condition fails for further ones. */
export function accessPut(entry: Entry, entryId: string): Put {
  const { entity, entity_id, at, who, action } = entry;
  return newItem(keys.access(entity, entity_id, at.slice(0, 'YYYY-MM-DD'.length), who, action), {
    ...entryItem(entry, entryId),
    gsi1pk: indexed.accesses(),
    gsi2pk: indexed.accessesOf(entity),
  });
}

function entryItem(entry: Entry, entryId: string): Item {
  const listed = indexed.at(entry.at, entryId);
  return { ...entry, changes: JSON.stringify(entry.changes), gsi1sk: listed, gsi2sk: listed };
}

export function isAuditEntry({ pk }: Item): boolean {
  return /^(AUDIT|ACCESS)#/.test(String(pk));
}

export function storedEntry(item: Item): Committed & Entry {
  return storedEntrySchema.parse({ ...item, changes: JSON.parse(String(item.changes)) });
}

const ITEM_FIELDS: ReadonlySet<string> = new Set([
  ...KEY_ATTRIBUTES,
  ...Object.keys(storedEntrySchema.shape),
]);
const CHANGE_FIELDS: ReadonlySet<string> = new Set(
  Object.keys(storedEntrySchema.shape.changes.def.element.shape),
);

/** Names that the product does not write and no hash covers: a time to live would remove the entry. */
export function foreignFields(item: Item): string[] {
  const changes: object[] = JSON.parse(String(item.changes));
  return [
    ...Object.keys(item).filter((name) => !ITEM_FIELDS.has(name)),
    ...changes.flatMap((change) => Object.keys(change)).filter((name) => !CHANGE_FIELDS.has(name)),
  ];
}

/** Whether the entry is in the lists that its key implies; otherwise nobody would see it. */
export function isListed(item: Item, { at, entity }: Entry): boolean {
  const accesses = String(item.pk).startsWith(`${indexed.accesses()}#`);
  const { gsi1pk, gsi1sk, gsi2pk, gsi2sk } = item;
  return (
    gsi1pk === (accesses ? indexed.accesses() : indexed.audit()) &&
    gsi2pk === (accesses ? indexed.accessesOf(entity) : indexed.auditOf(entity)) &&
    gsi1sk === gsi2sk &&
    (accesses ? String(gsi1sk).startsWith(indexed.at(at, '')) : gsi1sk === item.sk)
  );
}

const fromItem = (item: Item): Entry =>
  entrySchema.parse({ ...item, changes: JSON.parse(String(item.changes)) });

const MAX_SEED_ATTEMPTS = 5;

async function sealableOf(
  { table }: DataContext,
  item: Item,
  newSeed: () => string,
): Promise<Sealable | undefined> {
  let current: Item | undefined = item;
  for (let attempt = 1; current !== undefined; attempt += 1) {
    const key = { pk: String(current.pk), sk: String(current.sk) };
    if (isConsent(current)) return { key, leaf: consentLeaf(consentItemSchema.parse(current)) };
    const entry = storedEntry(current);
    if (isCommitted(entry)) return { key, leaf: leafOf(entry) };
    const seeded = await table.update({
      key,
      update: 'SET seed = :seed',
      condition: 'changes = :expected AND attribute_not_exists(seed)',
      values: { ':seed': newSeed(), ':expected': current.changes },
    });
    if (!seeded.ok && attempt === MAX_SEED_ATTEMPTS)
      throw new Error(`The audit entry ${key.pk} ${key.sk} keeps changing`);
    current = seeded.item;
  }
  return undefined;
}

/** One page, newest first. @param page.after `next` of the previous page */
export async function list(
  { table }: DataContext,
  part: TrailPart,
  { limit, after }: { limit: number; after?: AuditPosition | undefined },
): Promise<AuditPage> {
  const { items, next } = await table.query({
    ...partitionOf(part),
    descending: true,
    limit,
    ...(after !== undefined && { after: startAfter(part, after) }),
  });
  const last = items.at(-1);
  return {
    entries: items.map(fromItem),
    next: next && { pk: String(next.pk), sk: String(next.sk), listed: String(last?.gsi1sk) },
  };
}

/** Fails if an entry was changed or sealed meanwhile. */
export async function valuesRemoved(
  { table }: DataContext,
  entity: Audited,
  entityId: string,
  fields: readonly string[],
): Promise<Update[]> {
  const items = await table.queryAll({ partition: keys.audited(entity, entityId), consistent: true });
  return items.flatMap((item) => {
    const entry = storedEntry(item);
    if (!entry.changes.some(({ field, from, to }) => fields.includes(field) && (from ?? to) !== null))
      return [];
    return [
      {
        key: { pk: String(item.pk), sk: String(item.sk) },
        update: 'SET changes = :changes REMOVE seed',
        condition: `changes = :expected AND ${entry.seed === undefined ? 'attribute_not_exists(seed)' : 'attribute_exists(seed)'}`,
        values: { ':changes': JSON.stringify(erasedChanges(entry, fields)), ':expected': item.changes },
      },
    ];
  });
}

/** Entries, accesses and consents, oldest first. @param wanted called once for each; each list is read until `limit` keys are found */
export async function between(
  { table }: DataContext,
  from: string,
  until: string,
  wanted: (key: Key) => boolean,
  limit: number,
): Promise<EntryPlace[]> {
  const found = await Promise.all(
    [indexed.audit(), indexed.accesses(), ...indexed.everyConsent()].map(async (partition) => {
      const places: (EntryPlace & { readonly listed: string })[] = [];
      const pages = table.pages({
        index: 'gsi1',
        partition,
        sort: { from, to: until },
        only: ['pk', 'sk', 'gsi1sk'],
      });
      for await (const items of pages) {
        for (const { pk, sk, gsi1sk } of items) {
          const key = { pk: String(pk), sk: String(sk) };
          const listed = String(gsi1sk);
          if (wanted(key)) places.push({ key, listed, at: listed.slice(0, listed.indexOf('#')) });
        }
        if (places.length >= limit) break;
      }
      return places;
    }),
  );
  return found.flat().sort((a, b) => (a.listed < b.listed ? -1 : 1));
}

export async function* listed({ table }: DataContext): AsyncIterable<readonly Item[]> {
  const all = { index: 'gsi1' } as const;
  const ofKind = { index: 'gsi2' } as const;
  const lists = [
    { ...all, partition: indexed.audit() },
    { ...all, partition: indexed.accesses() },
    ...AUDITED.flatMap((entity) => [
      { ...ofKind, partition: indexed.auditOf(entity) },
      { ...ofKind, partition: indexed.accessesOf(entity) },
    ]),
  ];
  for (const list of lists) yield* table.pages(list);
}

/** Existing entries and consents with their leaves, in the order of the keys. Entries older than the chain get a seed. */
export async function sealable(
  context: DataContext,
  wanted: readonly Key[],
  newSeed: () => string,
): Promise<Sealable[]> {
  const items = (await context.table.getMany(wanted)).filter((item) => item !== undefined);
  const found: (Sealable | undefined)[] = [];
  for (const item of items) found.push(await sealableOf(context, item, newSeed));
  return found.filter((one) => one !== undefined);
}

function partitionOf({ accesses = false, entity, entityId }: TrailPart): Pick<Query, 'index' | 'partition'> {
  if (entity === undefined)
    return { index: 'gsi1', partition: accesses ? indexed.accesses() : indexed.audit() };
  if (entityId === undefined)
    return { index: 'gsi2', partition: accesses ? indexed.accessesOf(entity) : indexed.auditOf(entity) };
  return { partition: accesses ? keys.accessesTo(entity, entityId) : keys.audited(entity, entityId) };
}

function startAfter(part: TrailPart, { pk, sk, listed }: AuditPosition): Item {
  const { index, partition } = partitionOf(part);
  return { pk, sk, ...(index !== undefined && { [`${index}pk`]: partition, [`${index}sk`]: listed }) };
}
