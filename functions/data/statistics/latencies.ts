/**
 * How long leads took, by day (Berlin) and series: how many were in each bucket of a sketch, as sums under the numbers of the
 * buckets. Each is the sum of shards like the other statistics; see `docs/adr/0045-latency-sketches.md`.
 */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { type Sums, summed } from '#functions/data/statistics/source-figures';
import { keys } from '#functions/data/table/keys';
import type { Item, Put } from '#functions/data/table/table';
import { type LatencySeries, latencySeries } from '#shared/contract/rows/latency-series';

/** A day of a series, `2026-11-21#email`: part of the sort key. */
export type LatencyDayName = string;

export interface LatencyShard {
  readonly name: LatencyDayName;
  readonly shard: number;
  /** 0 while there is no item. */
  readonly version: number;
  /** Leads by the number of the bucket. */
  readonly value: Sums;
}

/** What one lead counts for: the Berlin day on which it arrived there, and the bucket of the time that it took. */
export const latencySchema = z.partialRecord(latencySeries, z.tuple([z.string(), z.int()]));
export type Latency = z.output<typeof latencySchema>;

export const nameOfLatencyDay = (day: string, series: LatencySeries): LatencyDayName => `${day}#${series}`;

function partsOf(name: LatencyDayName): { readonly day: string; readonly series: LatencySeries } {
  const [day = '', series] = name.split('#');
  return { day, series: latencySeries.parse(series) };
}

const latencyShardSchema = z.object({
  day: z.string(),
  series: latencySeries,
  version: z.int(),
  shard: z.int(),
  leads: z.string(),
});
const sumsSchema = z.record(z.string(), z.int());

function shardFromItem(item: Item): LatencyShard {
  const { day, series, shard, version, leads } = latencyShardSchema.parse(item);
  const value = new Map(Object.entries(sumsSchema.parse(JSON.parse(leads))));
  return { name: nameOfLatencyDay(day, series), shard, version, value };
}

/** The write of a shard, on the condition of the version that was read. */
export function latencyPut({ name, shard, version, value }: LatencyShard): Put {
  const { day, series } = partsOf(name);
  return {
    put: {
      ...keys.latencyDay(day, series, shard),
      day,
      series,
      shard,
      leads: JSON.stringify(Object.fromEntries(value)),
      version: version + 1,
    },
    condition: version === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
    ...(version > 0 && { values: { ':seen': version } }),
  };
}

/** One shard of these days. */
export async function shards(
  { table }: DataContext,
  names: readonly LatencyDayName[],
  shard: number,
): Promise<LatencyShard[]> {
  const items = await table.getMany(
    names.map((name) => {
      const { day, series } = partsOf(name);
      return keys.latencyDay(day, series, shard);
    }),
  );
  return items.map((item, at) =>
    item === undefined
      ? { name: names[at] ?? '', shard, version: 0, value: new Map<string, number>() }
      : shardFromItem(item),
  );
}

export async function everyShard({ table }: DataContext): Promise<LatencyShard[]> {
  const items = await table.queryAll({ partition: keys.latencies(), consistent: true });
  return items.map(shardFromItem);
}

/** All from one day to another, both included, the oldest first; a series without a lead on a day is missing there. */
export async function range(
  { table }: DataContext,
  from: string,
  to: string,
): Promise<{ day: string; series: LatencySeries; leads: Sums }[]> {
  const items = await table.queryAll({ partition: keys.latencies(), sort: { from, to: `${to}~` } });
  const days = new Map<LatencyDayName, Sums>();
  for (const item of items) {
    const { name, value } = shardFromItem(item);
    days.set(name, summed([days.get(name) ?? new Map<string, number>(), value]));
  }
  return [...days].map(([name, leads]) => ({ ...partsOf(name), leads }));
}
