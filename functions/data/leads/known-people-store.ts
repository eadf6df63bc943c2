/**
 * Lists of people that a buyer knows already, or that nobody may get. A list has parts, each with the keyed hashes of one call, by
 * which it is deleted again. The marks that leads are compared with are those of `do-not-contact-store.ts`.
 */
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { itemRemoved, newItem, read, readAll } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Delete, Put, TransactionItem, Update } from '#functions/data/table/table';

export const knownListSchema = z.object({
  list_id: z.string(),
  /** `NOBODY`: no buyer may get them. */
  buyer: z.int(),
  name: z.string(),
  /** The salted hash of the file's hash, by which the same file is recognised. */
  file: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  parts: z.int(),
  people: z.int(),
  /** All parts are stored and marked. */
  finished: z.optional(z.literal(true)),
  deleting: z.optional(z.literal(true)),
});
export type KnownList = z.output<typeof knownListSchema>;

export const knownPartSchema = z.object({ part: z.int(), hashes: z.array(z.string()) });
export type KnownPart = z.output<typeof knownPartSchema>;

export const all = (context: DataContext) =>
  readAll(context, { partition: keys.knownLists() }, knownListSchema);
export const get = (context: DataContext, list: string) =>
  read(context, keys.knownList(list), knownListSchema);
export const getPart = (context: DataContext, list: string, part: number) =>
  read(context, keys.knownPart(list, part), knownPartSchema);

export const begun = (list: KnownList): Put => newItem(keys.knownList(list.list_id), list);

/** Fails if it is not the next part, or the list is finished or being deleted. */
export const added = (list: string, { part, hashes }: KnownPart, people: number): TransactionItem[] => [
  newItem(keys.knownPart(list, part), { part, hashes }),
  {
    key: keys.knownList(list),
    update: 'SET parts = :part, people = people + :people',
    condition: 'parts = :before AND attribute_not_exists(finished) AND attribute_not_exists(deleting)',
    values: { ':people': people, ':part': part, ':before': part - 1 },
  },
];

export const finished = (list: string, part: number): Update => ({
  key: keys.knownList(list),
  update: 'SET finished = :true',
  condition: 'parts = :part AND attribute_not_exists(deleting)',
  values: { ':true': true, ':part': part },
});

export const deleting = (list: string): Update => ({
  key: keys.knownList(list),
  update: 'SET deleting = :true',
  condition: 'attribute_exists(pk) AND attribute_not_exists(deleting)',
  values: { ':true': true },
});

export async function someParts({ table }: DataContext, list: string, limit: number): Promise<KnownPart[]> {
  const { items } = await table.query({ partition: keys.knownParts(list), limit, consistent: true });
  return items.map((item) => knownPartSchema.parse(item));
}

export async function removePart({ table }: DataContext, list: string, part: number): Promise<void> {
  await table.delete({ delete: keys.knownPart(list, part) });
}

export const removed = (list: string): Delete => itemRemoved(keys.knownList(list));
