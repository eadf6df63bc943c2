/**
 * The list of leads: blocks of rows for each day, and the leads counted since these were written. See `docs/adr/0069-list-of-leads.md`.
 */
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { type LeadRow, packRows, rowOf, unpackRows } from '#functions/data/statistics/lead-rows';
import { countedFromItem, leadIdOf } from '#functions/data/statistics/statistics-store';
import { read, versioned } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import { addDays } from '#shared/rules/working-days';

/** About 25 KB. A changed row writes its block again, and a day reads all its blocks. */
export const ROWS_PER_BLOCK = 1000;

export interface Block {
  readonly number: number;
  /** 0: not stored yet. */
  readonly version: number;
  /** Of the process that wrote it: changes up to this instant are in it. */
  readonly packed_to: string;
  readonly rows: readonly LeadRow[];
}

const blockSchema = z.object({
  sk: z.string(),
  version: z.int(),
  packed_to: z.string(),
  rows: z.instanceof(Uint8Array),
});

const progressSchema = z.object({
  /** Leads counted before this instant are in the blocks. */
  packed_to: z.string(),
  /** Of the first bucket. */
  first_day: z.nullable(z.string()),
  version: z.int(),
});
export type Progress = z.output<typeof progressSchema>;

export interface Change {
  readonly lead_id: string;
  /** When it was counted. */
  readonly counted_at: string;
  /** When the lead was received; undefined for a lead that was never listed. */
  readonly received_at: string | undefined;
  /** Undefined: the lead is no longer listed. */
  readonly row: LeadRow | undefined;
}

export interface Changes {
  readonly changes: readonly Change[];
  /** Every change up to this instant is among them; undefined: all there are. */
  readonly upTo: string | undefined;
}

/** Before the first run: sorts before every instant. */
const NOTHING_PACKED: Progress = { packed_to: '2000', first_day: null, version: 0 };

export const progress = async (context: DataContext): Promise<Progress> =>
  (await read(context, keys.leadRowsPacked(), progressSchema)) ?? NOTHING_PACKED;

/** @returns false if another process did meanwhile */
export async function advance({ table }: DataContext, { version, ...now }: Progress): Promise<boolean> {
  return (await table.put(versioned({ ...keys.leadRowsPacked(), ...now }, version))).ok;
}

/** @param from included, as is `until` @param most about so many in each partition of the index */
export async function changesSince(
  { table }: DataContext,
  { from, until = '~', most }: { readonly from: string; readonly until?: string; readonly most: number },
): Promise<Changes> {
  const parts = await Promise.all(
    indexed.everyRecounted().map(async (partition) => {
      const items: Item[] = [];
      let after: Item | undefined;
      do {
        const query = { index: 'gsi2', partition, sort: { from, to: until }, limit: most } as const;
        const page = await table.query({ ...query, ...(after && { after }) });
        items.push(...page.items);
        after = page.next;
      } while (after !== undefined && items.length < most);
      return { items, isMore: after !== undefined };
    }),
  );
  const ends = parts.flatMap(({ items, isMore }) => (isMore ? [String(items.at(-1)?.gsi2sk)] : []));
  return {
    changes: parts.flatMap(({ items }) =>
      items.map((item) => {
        const lead_id = leadIdOf(item);
        const counted = countedFromItem(item);
        return {
          lead_id,
          counted_at: String(item.gsi2sk),
          received_at: counted.received?.at,
          row: rowOf(lead_id, counted),
        };
      }),
    ),
    upTo: ends.toSorted()[0],
  };
}

export async function blocksOf({ table }: DataContext, day: string): Promise<Block[]> {
  const items = await table.queryAll({
    partition: keys.leadRows(monthOf(day)),
    sort: { prefix: keys.leadRowsOf(day) },
  });
  return items.map((item) => {
    const { sk, version, packed_to, rows } = blockSchema.parse(item);
    return { number: Number(sk.split('#')[1]), version, packed_to, rows: unpackRows(rows) };
  });
}

/** By day, both included; days without a row are missing. */
export async function rowsBetween(
  { table }: DataContext,
  first: string,
  last: string,
): Promise<ReadonlyMap<string, readonly LeadRow[]>> {
  const months = new Set<string>();
  for (let day = first; day <= last; day = addDays(day, 1)) months.add(monthOf(day));
  const sort = { from: keys.leadRowsOf(first), to: `${keys.leadRowsOf(last)}~` };
  const items = await Promise.all(
    [...months].map((month) => table.queryAll({ partition: keys.leadRows(month), sort })),
  );
  const byDay = new Map<string, LeadRow[]>();
  for (const item of items.flat()) {
    const { sk, rows } = blockSchema.parse(item);
    const day = sk.replace(/#.*/, '');
    byDay.set(day, (byDay.get(day) ?? []).concat(unpackRows(rows)));
  }
  return byDay;
}

const monthOf = (day: string): string => day.slice(0, 'YYYY-MM'.length);

/** @returns false if it was written since it was read */
export async function writeBlock(
  { table }: DataContext,
  day: string,
  { number, version, packed_to, rows }: Block,
): Promise<boolean> {
  const item = { ...keys.leadRowBlock(day, number), packed_to, rows: packRows(rows) };
  return (await table.put(versioned(item, version))).ok;
}
