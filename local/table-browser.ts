import * as z from 'zod/mini';
import { KEY_ATTRIBUTES } from '#functions/data/table/keys';
import type { Item, Table } from '#functions/data/table/table';
import { parseJson } from '#functions/platform/parse-json';

const VIEWS = ['table', 'gsi1', 'gsi2'] as const;
type View = (typeof VIEWS)[number];

const view = z._default(z.enum(VIEWS), 'table');
export const partitionQuery = z.object({ view, kind: z.optional(z.string()) });
export const itemQuery = z.object({
  view,
  partition: z.string().check(z.minLength(1)),
  sort: z._default(z.string(), ''),
  after: z.optional(z.string()),
});

/** At most, to find the partitions. */
const MAX_ITEMS = 20_000;
const MAX_PARTITIONS = 200;
const ITEMS_PER_PAGE = 50;

interface Counted {
  readonly name: string;
  readonly items: number;
}

interface Kind extends Counted {
  readonly partitions: number;
  readonly partition?: string;
}

/** Kinds are the text before the first `#`. @returns `complete` is false if there are more */
export async function listPartitions(
  table: Table,
  query: z.output<typeof partitionQuery>,
): Promise<{ kinds: readonly Kind[]; partitions: readonly Counted[]; complete: boolean }> {
  const key = keysOf(query.view).partition;
  const counts = new Map<string, number>();
  let seen = 0;
  for await (const items of table.scan()) {
    for (const { [key]: partition } of items)
      if (typeof partition === 'string') counts.set(partition, (counts.get(partition) ?? 0) + 1);
    seen += items.length;
    if (seen >= MAX_ITEMS) break;
  }
  const kinds = new Map<string, Kind>();
  for (const [partition, items] of counts) {
    const name = kindOf(partition);
    const kind = kinds.get(name);
    kinds.set(
      name,
      kind === undefined
        ? { name, items, partitions: 1, partition }
        : { name, items: kind.items + items, partitions: kind.partitions + 1 },
    );
  }
  const partitions = Array.from(counts, ([name, items]) => ({ name, items }))
    .filter(({ name }) => kindOf(name) === query.kind)
    .sort(byName);
  return {
    kinds: [...kinds.values()].sort(byName),
    partitions: partitions.slice(0, MAX_PARTITIONS),
    complete: seen < MAX_ITEMS && partitions.length <= MAX_PARTITIONS,
  };
}

/** @returns undefined for an invalid cursor */
export async function listItems(
  table: Table,
  query: z.output<typeof itemQuery>,
): Promise<
  { items: readonly { readonly sort: string; readonly item: unknown }[]; next: string | null } | undefined
> {
  const after = query.after === undefined ? undefined : readCursor(query.after);
  if (query.after !== undefined && after === undefined) return undefined;
  const page = await table.query({
    ...(query.view !== 'table' && { index: query.view }),
    partition: query.partition,
    ...(query.sort !== '' && { sort: { prefix: query.sort } }),
    ...(after !== undefined && { after }),
    limit: ITEMS_PER_PAGE,
  });
  const { sort } = keysOf(query.view);
  return {
    items: page.items.map((item) => ({ sort: String(item[sort]), item: decoded(item) })),
    next: page.next === undefined ? null : writeCursor(page.next),
  };
}

function keysOf(shown: View): { readonly partition: string; readonly sort: string } {
  const prefix = shown === 'table' ? '' : shown;
  return { partition: `${prefix}pk`, sort: `${prefix}sk` };
}

const kindOf = (partition: string) => partition.replace(/#.*/s, '');
const byName = (a: Counted, b: Counted) => (a.name < b.name ? -1 : 1);

const cursorSchema = z.record(z.string(), z.string());

function writeCursor(key: Item): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

function readCursor(text: string): Item | undefined {
  const cursor = cursorSchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  return cursor.success ? cursor.data : undefined;
}

/** As `functions/keys/cipher.ts` writes it. */
const ENCRYPTED = /^v1\.([A-Za-z0-9]+)\.[A-Za-z0-9_-]{38,}$/;

/** Objects instead of JSON text, lists instead of sets, and no ciphertext. */
export function decoded(value: unknown): unknown {
  if (typeof value === 'string') {
    const [, key] = ENCRYPTED.exec(value) ?? [];
    if (key !== undefined) return `(encrypted with key ${key})`;
    const inside = /^[{[]/.test(value) ? parseJson(value) : undefined;
    return inside === undefined ? value : decoded(inside);
  }
  if (value instanceof Set) return Array.from(value, decoded);
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .sort(keysFirst)
        .map(([name, inner]) => [name, decoded(inner)]),
    );
  return value;
}

/** The keys first, then by name. */
const rankOf = (name: string) =>
  KEY_ATTRIBUTES.includes(name) ? KEY_ATTRIBUTES.indexOf(name) : KEY_ATTRIBUTES.length;

function keysFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
}
