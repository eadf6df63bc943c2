/**
 * What was delivered to a buyer and claimed by it in a month (Berlin), by order: sums under names, like those of the sources.
 * Each is the sum of shards like the other statistics. The statement of a buyer is made of them; see
 * `docs/adr/0052-share-and-statement-of-a-buyer.md`.
 */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { type Sums, summed } from '#functions/data/statistics/source-figures';
import { keys } from '#functions/data/table/keys';
import type { Item, Put } from '#functions/data/table/table';

/** A month of a buyer, `2026-11#7`. */
export type AccountMonthName = string;

export interface AccountShard {
  readonly name: AccountMonthName;
  readonly shard: number;
  /** 0 while there is no item. */
  readonly version: number;
  /** By figure and order: `originals:12`. */
  readonly value: Sums;
}

/** What is counted of an order in a month: leads by the month of their delivery, claims by that of their filing. */
export const ACCOUNT_FIGURES = ['originals', 'replacements', 'claims', 'approved', 'rejected'] as const;
export type AccountFigure = (typeof ACCOUNT_FIGURES)[number];
export type AccountFigures = Readonly<Record<AccountFigure, number>>;

export const nameOfAccountMonth = (month: string, buyer: number): AccountMonthName => `${month}#${buyer}`;
export const nameOfFigure = (figure: AccountFigure, order: number) => `${figure}:${order}`;

function partsOf(name: AccountMonthName): { readonly month: string; readonly buyer: number } {
  const [month = '', buyer] = name.split('#');
  return { month, buyer: Number(buyer) };
}

const accountShardSchema = z.object({
  month: z.string(),
  buyer: z.int(),
  version: z.int(),
  shard: z.int(),
  sums: z.string(),
});
const sumsSchema = z.record(z.string(), z.int());

function shardFromItem(item: Item): AccountShard {
  const { month, buyer, shard, version, sums } = accountShardSchema.parse(item);
  const value = new Map(Object.entries(sumsSchema.parse(JSON.parse(sums))));
  return { name: nameOfAccountMonth(month, buyer), shard, version, value };
}

/** The write of a shard, on the condition of the version that was read. */
export function accountPut({ name, shard, version, value }: AccountShard): Put {
  const { month, buyer } = partsOf(name);
  return {
    put: {
      ...keys.accountMonth(buyer, month, shard),
      month,
      buyer,
      shard,
      sums: JSON.stringify(Object.fromEntries(value)),
      version: version + 1,
    },
    condition: version === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
    ...(version > 0 && { values: { ':seen': version } }),
  };
}

/** One shard of these months. */
export async function shards(
  { table }: DataContext,
  names: readonly AccountMonthName[],
  shard: number,
): Promise<AccountShard[]> {
  const items = await table.getMany(
    names.map((name) => {
      const { month, buyer } = partsOf(name);
      return keys.accountMonth(buyer, month, shard);
    }),
  );
  return items.map((item, at) =>
    item === undefined
      ? { name: names[at] ?? '', shard, version: 0, value: new Map<string, number>() }
      : shardFromItem(item),
  );
}

export async function everyShard({ table }: DataContext): Promise<AccountShard[]> {
  const items = await table.queryAll({ partition: keys.accounts(), consistent: true });
  return items.map(shardFromItem);
}

/** The months of a buyer, the oldest first: the sums as they are named. */
export async function ofBuyer({ table }: DataContext, buyer: number): Promise<ReadonlyMap<string, Sums>> {
  const items = await table.queryAll({
    partition: keys.accounts(),
    sort: { prefix: keys.accountMonth(buyer, '').sk },
  });
  const months = new Map<string, Sums>();
  for (const item of items) {
    const { name, value } = shardFromItem(item);
    const { month } = partsOf(name);
    months.set(month, summed([months.get(month) ?? new Map<string, number>(), value]));
  }
  return months;
}
