/**
 * What came in from a source on a day (Berlin), and what became of it: sums under names, so that they are added, taken out
 * and compared in one way. By day and source, each the sum of shards like the other statistics; leads that could not be read
 * are counted beside them, because nothing of them is stored that they could be counted from.
 */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { keys } from '#functions/data/table/keys';
import type { Item, Put, Update } from '#functions/data/table/table';

/** Names of sums: `accepted`, `duplicates`, `waiting`, `hour:13`, and of each buyer `assigned:7`, `claimed:7`, `approved:7`, `rejected:7`, `reached:7`, `not_reached:7`, `closed:7`, `price:7:4550`. */
export type Sums = ReadonlyMap<string, number>;

/** A day of a source, `2026-11-21#3`: part of the sort key. */
export type SourceDayName = string;

export interface SourceDayShard {
  readonly name: SourceDayName;
  readonly shard: number;
  /** 0 while there is no item. */
  readonly version: number;
  readonly value: Sums;
}

/** The figures of a source on a day. */
export interface SourceDay {
  readonly day: string;
  readonly source: number;
  readonly sums: Sums;
  /** Leads that could not be read, each time they came. */
  readonly invalid: number;
}

export const nameOfSourceDay = (day: string, source: number): SourceDayName => `${day}#${source}`;

function partsOf(name: SourceDayName): { readonly day: string; readonly source: number } {
  const [day = '', source] = name.split('#');
  return { day, source: Number(source) };
}

/** Sums of several; those that are 0 are left out. */
export function summed(parts: readonly Sums[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const part of parts)
    for (const [name, value] of part) {
      const sum = (total.get(name) ?? 0) + value;
      if (sum === 0) total.delete(name);
      else total.set(name, sum);
    }
  return total;
}

const sourceShardSchema = z.object({
  day: z.string(),
  source: z.int(),
  version: z.int(),
  shard: z.int(),
  sums: z.string(),
});
const sumsSchema = z.record(z.string(), z.int());

function shardFromItem(item: Item): SourceDayShard {
  const { day, source, shard, version, sums } = sourceShardSchema.parse(item);
  const value = new Map(Object.entries(sumsSchema.parse(JSON.parse(sums))));
  return { name: nameOfSourceDay(day, source), shard, version, value };
}

export function sourceDayPut({ name, shard, version, value }: SourceDayShard): Put {
  const { day, source } = partsOf(name);
  return {
    put: {
      ...keys.sourceDay(day, source, shard),
      day,
      source,
      shard,
      sums: JSON.stringify(Object.fromEntries(value)),
      version: version + 1,
    },
    condition: version === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
    ...(version > 0 && { values: { ':seen': version } }),
  };
}

/** The write by which leads that could not be read are counted; one that is repeated after a lost answer counts twice. */
export const invalidCounted = (day: string, source: number, leads: number): Update => ({
  key: keys.sourceInvalid(day, source),
  update: 'SET #day = :day, #source = :source ADD invalid :leads',
  names: { '#day': 'day', '#source': 'source' },
  values: { ':day': day, ':source': source, ':leads': leads },
});

/** One shard of these days. */
export async function shards(
  { table }: DataContext,
  names: readonly SourceDayName[],
  shard: number,
): Promise<SourceDayShard[]> {
  const items = await table.getMany(
    names.map((name) => {
      const { day, source } = partsOf(name);
      return keys.sourceDay(day, source, shard);
    }),
  );
  return items.map((item, at) =>
    item === undefined
      ? { name: names[at] ?? '', shard, version: 0, value: new Map<string, number>() }
      : shardFromItem(item),
  );
}

export async function everyShard({ table }: DataContext): Promise<SourceDayShard[]> {
  const items = await table.queryAll({ partition: keys.sourceDays(), consistent: true });
  return items.filter(({ sums }) => sums !== undefined).map(shardFromItem);
}

/** All from one day to another, both included; days on which nothing came are missing. */
export async function range({ table }: DataContext, from: string, to: string): Promise<SourceDay[]> {
  const items = await table.queryAll({
    partition: keys.sourceDays(),
    sort: { from, to: `${to}~` },
  });
  const days = new Map<SourceDayName, { sums: Sums; invalid: number }>();
  for (const item of items) {
    const name = nameOfSourceDay(String(item.day), Number(item.source));
    const { sums = new Map<string, number>(), invalid = 0 } = days.get(name) ?? {};
    if (item.sums === undefined) days.set(name, { sums, invalid: Number(item.invalid) });
    else days.set(name, { sums: summed([sums, shardFromItem(item).value]), invalid });
  }
  return [...days].map(([name, figures]) => ({ ...partsOf(name), ...figures }));
}
