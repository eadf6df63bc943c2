import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FLOW_SHARDS, indexed } from '#functions/data/table/keys';
import { firstOfShards, pageOfShards } from '#functions/data/table/shards';
import type { Item, Page, Query } from '#functions/data/table/table';

/** Items of a partition that the table reads for a page, before the filter. */
const READ_AT_ONCE = 3;

/** A table of these items with pages that end early, like DynamoDB's after a megabyte. */
function tableOf(items: readonly Item[]) {
  const query = async ({ partition, descending, after, limit, sort, values }: Query): Promise<Page> => {
    const key = (item: Item) => String(item.gsi1sk);
    const back = descending === true ? -1 : 1;
    const behind = items
      .filter((item) => item.gsi1pk === partition)
      .toSorted((a, b) => (key(a) < key(b) ? -back : back))
      .filter((item) => after === undefined || (key(item) > key(after) ? 1 : -1) === back)
      .filter((item) => after === undefined || key(item) !== key(after))
      .filter((item) => sort === undefined || !('to' in sort) || key(item) <= sort.to);
    const read = behind.slice(0, Math.min(READ_AT_ONCE, limit ?? READ_AT_ONCE));
    const last = read.at(-1);
    const next = behind.length > read.length ? last : undefined;
    return { items: read.filter((item) => values === undefined || item.buyer === values[':buyer']), next };
  };
  return { query };
}

const lists = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 0, max: 9999 }), buyer: fc.integer({ min: 1, max: 2 }) }),
  {
    selector: ({ id }) => id,
    maxLength: 40,
  },
);
const asItems = (rows: readonly { id: number; buyer: number }[]): Item[] =>
  rows.map(({ id, buyer }) => {
    const sk = String(id).padStart(4, '0');
    return { pk: sk, sk, buyer, gsi1pk: indexed.newDeliveries(`lead-${sk}`), gsi1sk: sk };
  });

it('returns every item of a sharded list once and in order, for any page size', () =>
  fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 7 }), async (rows, limit) => {
      const items = asItems(rows);
      const found: string[] = [];
      let after: Item | undefined;
      do {
        const page: Page = await pageOfShards(tableOf(items), indexed.everyNewDelivery(), {
          filter: 'buyer = :buyer',
          values: { ':buyer': 1 },
          limit,
          after,
        });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items.map(({ gsi1sk }) => String(gsi1sk)));
        after = page.next;
      } while (after !== undefined);
      const expected = items.filter(({ buyer }) => buyer === 1).map(({ gsi1sk }) => String(gsi1sk));
      expect(found).toEqual(expected.toSorted().toReversed());
    }),
  ));

const ends = fc.constantFrom({ before: '5000' }, {});

it('returns the first items of all shards, before a given time or at all', () =>
  fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: READ_AT_ONCE }), ends, async (rows, limit, end) => {
      const items = asItems(rows);
      const found = await firstOfShards(tableOf(items), indexed.everyNewDelivery(), { ...end, limit });
      const sorted = items.map(({ gsi1sk }) => String(gsi1sk)).toSorted();
      const expected = sorted.filter((sk) => end.before === undefined || sk <= end.before);
      expect(found.map(({ gsi1sk }) => gsi1sk)).toEqual(expected.slice(0, limit));
    }),
  ));

it('spreads leads over the shards, and keeps each lead in one', () => {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const counts = new Map(indexed.everyInFlight().map((shard) => [shard, 0]));
  // The last two characters of an ID are random.
  for (const a of alphabet)
    for (const b of alphabet) {
      const shard = indexed.inFlight(`01JD0000000000000000000${a}${b}`);
      expect(indexed.inFlight(`01JD0000000000000000000${a}${b}`)).toBe(shard);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
  expect([...counts.keys()]).toEqual(['INFLIGHT', 'INFLIGHT#1', 'INFLIGHT#2', 'INFLIGHT#3']);
  for (const count of counts.values()) expect(count).toBeLessThan((1.2 * alphabet.length ** 2) / FLOW_SHARDS);
});
