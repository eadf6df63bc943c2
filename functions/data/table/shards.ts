/** A list in several partitions of gsi1, read as one by its sort keys. */
import type { Item, Page, Query, Table } from '#functions/data/table/table';

/** @param before a sort key, excluded */
export async function firstOfShards(
  table: Pick<Table, 'query'>,
  shards: readonly string[],
  { before, limit }: { readonly before?: string; readonly limit: number },
): Promise<Item[]> {
  const sort = before === undefined ? {} : { sort: { from: '0', to: before } };
  const pages = await Promise.all(
    shards.map((partition) => table.query({ index: 'gsi1', partition, limit, ...sort })),
  );
  return pages
    .flatMap(({ items }) => items)
    .toSorted((a, b) => compare(a, b))
    .slice(0, limit);
}

/** Descending sort keys. @param after where the previous page ended: a position in any of the shards */
export async function pageOfShards(
  table: Pick<Table, 'query'>,
  shards: readonly string[],
  { limit, after, ...query }: Pick<Query, 'filter' | 'values'> & { limit: number; after: Item | undefined },
): Promise<Page> {
  const pages = await Promise.all(
    shards.map((partition) =>
      table.query({
        ...query,
        index: 'gsi1',
        partition,
        descending: true,
        // Sort keys contain the ID, so a position in one shard is between two items in each of the others.
        ...(after && { after: { ...after, gsi1pk: partition } }),
      }),
    ),
  );
  // A shard with more items was read down to its `next`, so lower items of the other shards belong to the next page.
  const [next] = pages
    .map((page) => page.next)
    .filter((position) => position !== undefined)
    .toSorted((a, b) => compare(b, a));
  const items = pages
    .flatMap((page) => page.items)
    .filter((item) => next === undefined || compare(item, next) >= 0)
    .toSorted((a, b) => compare(b, a));
  const kept = items.slice(0, limit);
  const last = kept.at(-1);
  return { items: kept, next: items.length > limit && last !== undefined ? positionOf(last) : next };
}

function positionOf({ pk, sk, gsi1pk, gsi1sk }: Item): Item {
  return { pk, sk, gsi1pk, gsi1sk };
}

/** The table orders sort keys by their bytes, which for these is by their characters. */
function compare(a: Item, b: Item): number {
  const [left, right] = [String(a.gsi1sk), String(b.gsi1sk)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
