/** The pool (every buyer's pool entry, the ledger and the verification switches), read in one query. */

import * as z from 'zod/mini';
import {
  type VerificationSwitches,
  verificationSwitchesSchema,
} from '#functions/data/administration/settings';
import {
  type ListedEntry,
  listedEntrySchema,
  type PoolEntry,
  poolEntrySchema,
} from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import { EMPTY_LEDGER, type Ledger, ledgerSchema } from '#functions/data/distribution/ledger';
import { blindChange, type Deficits, exactChange } from '#functions/data/distribution/ledger-writer';
import { type CapacityState, capacityStateOf, type Order } from '#functions/data/orders/order';
import { newItem } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Item, Put, Update } from '#functions/data/table/table';

export interface Pool {
  readonly entries: readonly PoolEntry[];
  readonly retired: readonly PoolEntry[];
  readonly ledger: Ledger;
  readonly switches: VerificationSwitches;
  /** Guards the sum of the active buyers' weights. */
  readonly weightsVersion: number;
  readonly unwritten: UnwrittenWeights | undefined;
}

/** Weights in effect although the pool entries still have the former ones: any number of them change in one write. */
export interface UnwrittenWeights {
  /** Hundredths of a percent, by buyer. */
  readonly weights: ReadonlyMap<number, number>;
  readonly by: string;
}

/** Each of `buyers` has the weight at the same index. */
const weightsSchema = z.object({
  version: z.int(),
  unwritten: z.optional(z.object({ buyers: z.array(z.int()), weights: z.array(z.int()), by: z.string() })),
});

const LISTED = [...Object.keys(listedEntrySchema.shape), 'retired_at', 'version', 'unwritten'];

export const read = async ({ table }: DataContext): Promise<Pool> =>
  toPool(await table.queryAll({ partition: keys.pool(), consistent: true }));

/** A query is not a snapshot. Reading the version before it as well proves that the weights belong to that version. */
export async function readForWeights(context: DataContext): Promise<Pool> {
  for (;;) {
    const before = await context.table.get(keys.weights());
    const pool = await read(context);
    if (Number(before?.version ?? 0) === pool.weightsVersion) return pool;
  }
}

/** Reads only these attributes, because the others of a thousand entries would take most of the time. */
export async function listed({ table }: DataContext): Promise<readonly ListedEntry[]> {
  const items = await table.queryAll({ partition: keys.pool(), consistent: true, only: LISTED });
  const entries = items.filter(({ buyer, retired_at }) => buyer !== undefined && retired_at === undefined);
  const weights = items.find(({ unwritten }) => unwritten !== undefined);
  return inEffect(
    entries.map((item) => listedEntrySchema.parse(item)),
    weights && unwrittenOf(weightsSchema.parse(weights)),
  );
}

export async function entry({ table }: DataContext, buyer: number): Promise<PoolEntry | undefined> {
  const [item, weights] = await table.getMany([keys.poolEntry(buyer), keys.weights()]);
  const poolEntry = item && poolEntrySchema.parse(item);
  if (poolEntry === undefined || poolEntry.retired_at !== undefined) return undefined;
  return inEffect([poolEntry], weights && unwrittenOf(weightsSchema.parse(weights)))[0];
}

/** The write of a `LedgerWriter` for a transaction, which has its own token against repetition. */
export const ledgerChanged = (expected: Ledger, changes: Deficits, blindly: boolean): Update => ({
  key: keys.ledger(),
  ...(blindly ? blindChange(undefined, [...changes]) : exactChange(expected, changes, expected.writers)),
});

/** Fails silently if the entry changed since it was seen. */
export async function noteCapacity(
  { table }: DataContext,
  expected: Pick<PoolEntry, 'buyer' | 'order_id' | 'version'>,
  capacityState: CapacityState,
): Promise<void> {
  await table.update(capacityNoted(expected, capacityState));
}

export async function noteOpening(
  { table }: DataContext,
  expected: Pick<PoolEntry, 'buyer' | 'version'>,
  opened: string,
): Promise<void> {
  await table.update({
    key: keys.poolEntry(expected.buyer),
    update: 'SET opened_at = :opened, version = :next',
    condition: 'version = :expected',
    values: { ':opened': opened, ':expected': expected.version, ':next': expected.version + 1 },
  });
}

export function entryCreated(entry: PoolEntry): Put {
  return newItem(keys.poolEntry(entry.buyer), entry);
}

/** The reconciliation removes retired entries. */
export const entryRetired = (expected: PoolEntry, at: string): Put =>
  entryChanged(expected, { ...expected, active: false, has_capacity: false, retired_at: at });

/** @param expectedVersion read with the weights whose sum was checked @param unwritten unchanged if undefined */
export function weightsChanged(expectedVersion: number, unwritten?: UnwrittenWeights): Update {
  const left = unwritten !== undefined && unwritten.weights.size > 0 ? unwritten : undefined;
  const removes = unwritten !== undefined && left === undefined;
  return {
    key: keys.weights(),
    update: `SET version = :next${left ? ', unwritten = :unwritten' : ''}${removes ? ' REMOVE unwritten' : ''}`,
    condition: expectedVersion === 0 ? 'attribute_not_exists(pk)' : 'version = :expected',
    values: {
      ':next': expectedVersion + 1,
      ...(expectedVersion > 0 && { ':expected': expectedVersion }),
      ...(left && {
        ':unwritten': {
          buyers: [...left.weights.keys()],
          weights: [...left.weights.values()],
          by: left.by,
        },
      }),
    },
  };
}

export async function remove({ table }: DataContext, expected: PoolEntry): Promise<void> {
  await table.delete({
    delete: keys.poolEntry(expected.buyer),
    condition: 'version = :expected',
    values: { ':expected': expected.version },
  });
}

/** @returns the ledger as it is now */
export async function forgetDeficit({ table }: DataContext, buyer: number): Promise<Ledger> {
  const { item } = await table.update({
    key: keys.ledger(),
    update: 'SET version = version + :one REMOVE deficits.#buyer',
    condition: 'attribute_exists(deficits.#buyer)',
    names: { '#buyer': String(buyer) },
    values: { ':one': 1 },
  });
  return item === undefined ? EMPTY_LEDGER : ledgerSchema.parse(item);
}

export function entryChanged(expected: PoolEntry, entry: PoolEntry): Put {
  return {
    put: { ...keys.poolEntry(entry.buyer), ...entry, version: expected.version + 1 },
    condition: 'version = :expected',
    values: { ':expected': expected.version },
  };
}

export function withCapacity(entry: PoolEntry, order: Order, at: Date): PoolEntry {
  const { capped_until: _until, capped_by: _by, paced: _paced, ...rest } = entry;
  const { has_capacity, paced, capped } = capacityStateOf(order, entry, at);
  return {
    ...rest,
    has_capacity,
    ...(paced && { paced }),
    ...(capped && { capped_until: capped.until.toISOString(), capped_by: capped.by }),
  };
}

/** An expired cap counts as none. */
export function agrees(entry: PoolEntry, { has_capacity, paced, capped }: CapacityState, at: Date): boolean {
  const isCapped = entry.capped_until !== undefined && at < new Date(entry.capped_until);
  return (
    entry.has_capacity === has_capacity &&
    (entry.paced ?? false) === paced &&
    (isCapped ? entry.capped_until : undefined) === capped?.until.toISOString() &&
    (isCapped ? entry.capped_by : undefined) === capped?.by
  );
}

export function capacityNoted(
  expected: Pick<PoolEntry, 'buyer' | 'order_id' | 'version'>,
  { has_capacity, paced, capped }: CapacityState,
): Update {
  const removed = [...(paced ? [] : ['paced']), ...(capped ? [] : ['capped_until', 'capped_by'])];
  return {
    key: keys.poolEntry(expected.buyer),
    update: [
      'SET has_capacity = :capacity, version = :next',
      ...(paced ? [', paced = :paced'] : []),
      ...(capped ? [', capped_until = :until, capped_by = :by'] : []),
      ...(removed.length > 0 ? [` REMOVE ${removed.join(', ')}`] : []),
    ].join(''),
    condition: 'version = :expected AND order_id = :order',
    values: {
      ':capacity': has_capacity,
      ...(paced && { ':paced': true }),
      ...(capped && { ':until': capped.until.toISOString(), ':by': capped.by }),
      ':expected': expected.version,
      ':next': expected.version + 1,
      ':order': expected.order_id,
    },
  };
}

function toPool(items: readonly Item[]): Pool {
  const entries: PoolEntry[] = [];
  const retired: PoolEntry[] = [];
  let ledger = EMPTY_LEDGER;
  let switches = verificationSwitchesSchema.parse({});
  let weights: z.output<typeof weightsSchema> = { version: 0 };
  for (const item of items) {
    switch (item.sk) {
      case keys.ledger().sk:
        ledger = ledgerSchema.parse(item);
        break;
      case keys.verificationSwitches().sk:
        switches = verificationSwitchesSchema.parse(item);
        break;
      case keys.weights().sk:
        weights = weightsSchema.parse(item);
        break;
      default: {
        const poolEntry = poolEntrySchema.parse(item);
        (poolEntry.retired_at === undefined ? entries : retired).push(poolEntry);
      }
    }
  }
  const unwritten = unwrittenOf(weights);
  return {
    entries: inEffect(entries, unwritten),
    retired,
    ledger,
    switches,
    weightsVersion: weights.version,
    unwritten,
  };
}

function unwrittenOf({ unwritten }: z.output<typeof weightsSchema>): UnwrittenWeights | undefined {
  return (
    unwritten && {
      weights: new Map(unwritten.buyers.map((buyer, at) => [buyer, unwritten.weights[at] ?? 0])),
      by: unwritten.by,
    }
  );
}

function inEffect<Entry extends ListedEntry>(
  entries: readonly Entry[],
  unwritten: UnwrittenWeights | undefined,
): readonly Entry[] {
  if (unwritten === undefined) return entries;
  return entries.map((entry) => ({
    ...entry,
    probability: unwritten.weights.get(entry.buyer) ?? entry.probability,
  }));
}
