/**
 * The store of everything counted of leads: figures by name, in lists of sums. Each sum is sharded, because concurrent
 * counts would exclude each other from one item; a shard is written on the condition of the version read. See
 * `docs/adr/0010-statistics.md`.
 */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { versioned } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Item, Put, Query, Update } from '#functions/data/table/table';
import type { LatencySeries } from '#shared/contract/rows/latency-series';

/** `accepted`, `originals:7` of buyer 7, `price:7:4550`. Zeros are left out. */
export type Sums = ReadonlyMap<string, number>;

export interface SumsShard {
  readonly name: string;
  readonly shard: number;
  readonly version: number;
  readonly value: Sums;
}

export type Part = readonly [sums: string, figure: string, by: number];

/** `{list}/{what}`. Days and months are those of Berlin. */
export const nameOf = {
  day: (day: string) => `${keys.statistics()}/${day}`,
  totals: () => `${keys.statistics()}/totals`,
  sourceDay: (day: string, source: number) => `${keys.sourceDays()}/${day}#${source}`,
  latencyDay: (day: string, series: LatencySeries) => `${keys.latencies()}/${day}#${series}`,
  accountMonth: (buyer: number, month: string) => `${keys.accounts()}/${buyer}#${month}`,
} as const;

const LISTS = [keys.statistics(), keys.sourceDays(), keys.latencies(), keys.accounts()];

/** Without the list: `2026-11-21#3`. */
export const tailOf = (name: string): string => name.slice(name.indexOf('/') + 1);

export function summed(parts: readonly Sums[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const part of parts) for (const [name, value] of part) add(total, name, value);
  return total;
}

export function add(sums: Map<string, number>, name: string, value: number): void {
  const sum = (sums.get(name) ?? 0) + value;
  if (sum === 0) sums.delete(name);
  else sums.set(name, sum);
}

export const sumsPut = ({ name, shard, version, value }: SumsShard): Put =>
  versioned({ ...keys.sums(name, shard), sums: packed(value) }, version);

export const invalidCounted = (day: string, source: number, leads: number): Update => ({
  key: keys.sourceInvalid(day, source),
  update: 'ADD invalid :leads',
  values: { ':leads': leads },
});

export async function shards(
  { table }: DataContext,
  names: readonly string[],
  shard: number,
): Promise<SumsShard[]> {
  const items = await table.getMany(names.map((name) => keys.sums(name, shard)));
  return names.map((name, at) => {
    const item = items[at];
    return item === undefined
      ? { name, shard, version: 0, value: new Map<string, number>() }
      : fromItem(item);
  });
}

export async function everyShard({ table }: DataContext): Promise<ReadonlyMap<string, readonly SumsShard[]>> {
  const lists = await Promise.all(LISTS.map((partition) => table.queryAll({ partition, consistent: true })));
  const found = new Map<string, SumsShard[]>();
  for (const shard of lists.flat().filter(isCounted).map(fromItem))
    found.set(shard.name, [...(found.get(shard.name) ?? []), shard]);
  return found;
}

/**
 * @param sort `from` and `to` are both included @param only the second part of the wanted figures, such as the buyer
 */
export async function sumsIn(
  { table }: DataContext,
  list: string,
  sort: NonNullable<Query['sort']>,
  only?: string,
): Promise<Map<string, Sums>> {
  const items = await table.queryAll({
    partition: list,
    // The shards of the last name sort after it.
    sort: 'prefix' in sort ? sort : { from: sort.from, to: `${sort.to}~` },
  });
  const found = new Map<string, Sums>();
  for (const item of items) {
    const [what] = partsOf(item);
    const value = isCounted(item)
      ? unpacked(item, only)
      : new Map([['invalid', z.int().parse(item.invalid)]]);
    const before = found.get(what);
    found.set(what, before === undefined ? value : summed([before, value]));
  }
  return found;
}

export async function sourceDays(
  context: DataContext,
  from: string,
  to: string,
): Promise<{ readonly day: string; readonly source: number; readonly sums: Sums }[]> {
  const days = await sumsIn(context, keys.sourceDays(), { from, to });
  return [...days].map(([what, sums]) => {
    const [day = '', source] = what.split('#');
    return { day, source: Number(source), sums };
  });
}

/** Leads that could not be read are not stored, so they are counted in separate items. */
const isCounted = (item: Item) => item.sums !== undefined;

function partsOf({ sk }: Item): readonly [what: string, shard: string] {
  const [text, cut] = [String(sk), String(sk).lastIndexOf('#')];
  return [text.slice(0, cut), text.slice(cut + 1)];
}

function fromItem(item: Item): SumsShard {
  const [what, shard] = partsOf(item);
  return {
    name: `${String(item.pk)}/${what}`,
    shard: Number(shard),
    version: Number(item.version),
    value: unpacked(item),
  };
}

/** By the first parts of the names: `{"originals":{"7":3,"8":1}}`. */
const packedSchema = z.record(z.string(), z.record(z.string(), z.int()));

function packed(sums: Sums): string {
  const groups: Record<string, Record<string, number>> = {};
  for (const [name, value] of sums) {
    const cut = name.indexOf(':');
    (groups[name.slice(0, Math.max(cut, 0))] ??= {})[name.slice(cut + 1)] = value;
  }
  return JSON.stringify(groups);
}

function unpacked({ sums }: Item, only?: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [group, figures] of Object.entries(packedSchema.parse(JSON.parse(String(sums)))))
    for (const [name, value] of Object.entries(figures))
      if (only === undefined || name === only || name.startsWith(`${only}:`))
        found.set(group === '' ? name : `${group}:${name}`, value);
  return found;
}
