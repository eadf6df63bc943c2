import type { DataContext } from '#functions/data/context';
import {
  type Cost,
  costSchema,
  type Source,
  type SourceKey,
  sourceSchema,
} from '#functions/data/sources/source';
import { invalidCounted } from '#functions/data/statistics/sums';
import { takeNumber } from '#functions/data/table/counter';
import { newItem, read, readMany } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import { equations, type TransactionItem, type Update } from '#functions/data/table/table';
import type { KeySlot } from '#shared/rules/constants';

export const get = (context: DataContext, source: number): Promise<Source | undefined> =>
  read(context, keys.source(source), sourceSchema);

export const getMany = (context: DataContext, sources: readonly number[]): Promise<(Source | undefined)[]> =>
  readMany(context, sources.map(keys.source), sourceSchema);

export async function all({ table }: DataContext): Promise<Source[]> {
  const listed = await table.queryAll({ partition: keys.sources(), consistent: true });
  const items = await table.getMany(listed.map(({ source }) => keys.source(Number(source))));
  return items.flatMap((item) => (item === undefined ? [] : [sourceSchema.parse(item)]));
}

/** All ever set, each source's oldest first. Apart from the source, which every call of an intake writes. */
export async function costs({ table }: DataContext): Promise<Cost[]> {
  const items = await table.queryAll({ partition: keys.sourceCosts() });
  return items.map((item) => costSchema.parse(item));
}

/** A second change on one day replaces the first. */
export const costSet = (cost: Cost): TransactionItem => ({
  put: { ...keys.sourceCost(cost.source, cost.from), ...cost },
});

/** By internal number. */
export async function names(context: DataContext, sources: readonly number[]) {
  const found = await getMany(context, [...new Set(sources)]);
  return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.source, one.name] as const])));
}

export const nextId = ({ table }: DataContext) => takeNumber(table, 'source');

export function created(source: Source): TransactionItem[] {
  return [
    newItem(keys.source(source.source), source),
    { put: { ...keys.sourceListed(source.source), source: source.source } },
    ...originsChanged(source.source, [], source.origins),
    ...specificationItems(source.source, undefined, source.specification_token),
  ];
}

/** Only the source's latest token opens it. */
export async function byToken(context: DataContext, token: string): Promise<Source | undefined> {
  const pointer = await context.table.get(keys.specification(token));
  const source = pointer && (await get(context, Number(pointer.source)));
  return source?.specification_token === token ? source : undefined;
}

/** Undefined: none. */
export function tokenReplaced(
  { source, specification_token: expected }: Source,
  token: string | undefined,
): TransactionItem[] {
  return [
    {
      key: keys.source(source),
      update: token === undefined ? 'REMOVE specification_token' : 'SET specification_token = :token',
      condition:
        expected === undefined
          ? 'attribute_exists(pk) AND attribute_not_exists(specification_token)'
          : 'specification_token = :expected',
      values: { ':token': token, ':expected': expected },
    },
    ...specificationItems(source, expected, token),
  ];
}

/** Fails if the settings changed since they were read. Remaining amounts change by the same difference as their limits. */
export function changed(expected: Source, fields: Readonly<Partial<Source>>): TransactionItem[] {
  const { texts, names, values } = equations(fields);
  const left = { per_minute: 'minute_left', per_day: 'day_left', in_total: 'total_left' } as const;
  const moves = (['per_minute', 'per_day', 'in_total'] as const).flatMap((limit) => {
    const by = (fields[limit] ?? expected[limit]) - expected[limit];
    return by === 0 ? [] : [{ text: `${left[limit]} = ${left[limit]} + :${limit}`, limit, by }];
  });
  return [
    {
      key: keys.source(expected.source),
      update: `SET ${['version = :next', ...texts, ...moves.map(({ text }) => text)].join(', ')}`,
      condition: 'version = :expected',
      names,
      values: {
        ...values,
        ...Object.fromEntries(moves.map(({ limit, by }) => [`:${limit}`, by])),
        ':expected': expected.version,
        ':next': expected.version + 1,
      },
    },
    ...originsChanged(expected.source, expected.origins, fields.origins ?? expected.origins),
  ];
}

/** @param key undefined to revoke; fails if the slot has changed since it was read */
export function keyChanged(expected: Source, slot: KeySlot, key: SourceKey | undefined): Update {
  const before = expected.keys[slot];
  return {
    key: keys.source(expected.source),
    update: `${key === undefined ? 'REMOVE' : 'SET'} #keys.#slot${key === undefined ? '' : ' = :key'} ADD version :one`,
    condition: before === undefined ? 'attribute_not_exists(#keys.#slot)' : '#keys.#slot.#hash = :hash',
    names: { '#keys': 'keys', '#slot': slot, ...(before && { '#hash': 'hash' }) },
    values: { ':one': 1, ...(key && { ':key': key }), ...(before && { ':hash': before.hash }) },
  };
}

/** By day of Berlin; nothing else is kept of leads that could not be read. */
export async function countInvalid(
  { table }: DataContext,
  source: number,
  leads: number,
  day: string,
): Promise<void> {
  await table.update(invalidCounted(day, source, leads));
}

export async function mayPostFrom({ table }: DataContext, origin: string): Promise<boolean> {
  return (await table.query({ partition: keys.origins(origin), limit: 1 })).items.length > 0;
}

function specificationItems(
  source: number,
  before: string | undefined,
  after: string | undefined,
): TransactionItem[] {
  return [
    ...(before === undefined ? [] : [{ delete: keys.specification(before) }]),
    ...(after === undefined ? [] : [{ put: { ...keys.specification(after), source } }]),
  ];
}

function originsChanged(
  source: number,
  before: readonly string[],
  after: readonly string[],
): TransactionItem[] {
  return [
    ...before
      .filter((origin) => !after.includes(origin))
      .map((origin) => ({ delete: keys.origin(origin, source) })),
    ...after
      .filter((origin) => !before.includes(origin))
      .map((origin) => ({ put: { ...keys.origin(origin, source), source } })),
  ];
}
