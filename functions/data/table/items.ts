/** Reads and writes of single items that most stores share. */
import type * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import type { Key } from '#functions/data/table/keys';
import type { Delete, Put, Query } from '#functions/data/table/table';

export async function read<One>({ table }: DataContext, key: Key, schema: z.ZodMiniType<One>) {
  const item = await table.get(key);
  return item && schema.parse(item);
}

/** In the order of the keys. */
export async function readMany<One>(
  { table }: DataContext,
  wanted: readonly Key[],
  schema: z.ZodMiniType<One>,
): Promise<(One | undefined)[]> {
  const items = await table.getMany(wanted);
  return items.map((item) => item && schema.parse(item));
}

/** Consistent, except for an index. */
export async function readAll<One>({ table }: DataContext, query: Query, schema: z.ZodMiniType<One>) {
  const items = await table.queryAll({ ...query, consistent: true });
  return items.map((item) => schema.parse(item));
}

/** Fails if the item exists. */
export const newItem = (key: Key, fields: object): Put => ({
  put: { ...key, ...fields },
  condition: 'attribute_not_exists(pk)',
});

/** Fails if the item does not exist. */
export const itemRemoved = (key: Key): Delete => ({ delete: key, condition: 'attribute_exists(pk)' });

/** Fails if the version is not `expected`, which is 0 if there was no item. */
export const versioned = (item: Put['put'], expected: number): Put => ({
  put: { ...item, version: expected + 1 },
  condition: expected === 0 ? 'attribute_not_exists(pk)' : 'version = :expected',
  ...(expected > 0 && { values: { ':expected': expected } }),
});
