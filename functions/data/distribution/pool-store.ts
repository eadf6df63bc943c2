/** The pool: every buyer's pool entry, the ledger and the verification switches, read in one query. */

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
import { EMPTY_LEDGER, type Ledger, ledgerAfter, ledgerSchema } from '#functions/data/distribution/ledger';
import type { Room } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import type { Item, Put, Table, Update } from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';

/** Changes in parts of a lead, by internal buyer id. */
type Deficits = ReadonlyMap<number, number>;

export interface Pool {
  readonly entries: readonly PoolEntry[];
  /** The entries of deleted buyers. */
  readonly retired: readonly PoolEntry[];
  readonly ledger: Ledger;
  readonly switches: VerificationSwitches;
  /** Guards the sum of the active buyers' weights. */
  readonly weightsVersion: number;
  /** Undefined unless the weights of several buyers were just changed. */
  readonly unwritten: UnwrittenWeights | undefined;
}

/**
 * Weights that are in effect although the items of their buyers still have the former ones: so the weights of any number
 * of buyers change in one write. `entries` show them.
 */
export interface UnwrittenWeights {
  /** Hundredths of a percent, by buyer. */
  readonly weights: ReadonlyMap<number, number>;
  /** The admin who set them. */
  readonly by: string;
}

/** In `unwritten`, each of `buyers` has the weight at the same place in `weights`. */
const weightsSchema = z.object({
  version: z.int(),
  unwritten: z.optional(z.object({ buyers: z.array(z.int()), weights: z.array(z.int()), by: z.string() })),
});

export const ALL_SWITCHED_ON: VerificationSwitches = {
  email_verification: true,
  phone_verification: true,
  name_verification: true,
};

/**
 * Processes recorded as writers of the ledger. With so many and twenty buyers the item fits into one write unit.
 * A writer is dropped only after as many others have written since.
 */
const MAX_WRITERS = 48;

/** Beside the fields of an entry those that tell a retired one and the weights. */
const LISTED = [...Object.keys(listedEntrySchema.shape), 'retired_at', 'version', 'unwritten'];

/** An expression may be 4 KB long; a larger change of the ledger is written in parts. */
export const MAX_CHANGES_PER_WRITE = 50;

export interface PoolStore {
  read(): Promise<Pool>;
  /**
   * The same for whoever checks the sum of the weights: a query is no snapshot, so the version of the weights is read before
   * the weights as well, and is that of the weights returned.
   */
  readForWeights(): Promise<Pool>;
  entry(buyer: number): Promise<PoolEntry | undefined>;
  /** The entries as lists show them: of a thousand, the other attributes take longer to read than these. */
  listed(): Promise<readonly ListedEntry[]>;
  /**
   * Changes the ledger if it still has the version seen; a write repeated by the SDK counts once. The calls of one
   * store must not overlap, which `LedgerBatcher` ensures.
   * @returns whether the change was made, and the ledger as it is now
   */
  settle(seen: Ledger, changes: Deficits): Promise<{ settled: boolean; ledger: Ledger }>;
  /**
   * Changes the ledger whatever its version; otherwise like `settle`.
   * @returns the ledger as it is now
   */
  settleBlindly(changes: Deficits): Promise<Ledger>;
  /**
   * The write behind `settle`, for a transaction, which has a token of its own against repetition.
   * @param blindly whatever the ledger's version; not for more than `MAX_CHANGES_PER_WRITE` changes
   */
  ledgerChanged(seen: Ledger, changes: Deficits, blindly: boolean): Update;
  /** Records what room the entry's order has, unless the entry has changed since it was seen. */
  noteRoom(seen: Pick<PoolEntry, 'buyer' | 'order_id' | 'version'>, room: Room): Promise<void>;
  /** The write behind `noteRoom`, for a transaction. */
  roomNoted(seen: Pick<PoolEntry, 'buyer' | 'order_id' | 'version'>, room: Room): Update;
  /** Records that leads that waited for an opening of the buyer's hours are to be distributed. @param opened instant (UTC) */
  noteOpening(seen: Pick<PoolEntry, 'buyer' | 'version'>, opened: string): Promise<void>;
  /** The write of a new entry. */
  entryCreated(entry: PoolEntry): Put;
  /** The write of a changed entry, on the condition that the stored one has the version seen. */
  entryChanged(seen: PoolEntry, entry: PoolEntry): Put;
  /** The write that retires the entry of a buyer being deleted. @param at instant (UTC) */
  entryRetired(seen: PoolEntry, at: string): Put;
  /**
   * Raises the version of the weights: whoever checked their sum states the version read with it.
   * @param unwritten the weights in effect from now on whatever the items have; undefined leaves them as they are
   */
  weightsChanged(seenVersion: number, unwritten?: UnwrittenWeights): Update;
  /** Removes the pool entry of a deleted buyer. */
  remove(seen: PoolEntry): Promise<void>;
  /** Removes a deleted buyer from the ledger. @returns the ledger as it is now */
  forgetDeficit(buyer: number): Promise<Ledger>;
}

export function createPoolStore(table: Table): PoolStore {
  let me = newWriter(table);

  /** Writes the ledger as this writer. @returns whether the write counted, and the ledger as it is now */
  const writeLedger = async (write: Omit<Update, 'key'>): Promise<{ settled: boolean; ledger: Ledger }> => {
    try {
      const written = await table.update({ key: keys.ledger(), ...write });
      const ledger = written.item === undefined ? EMPTY_LEDGER : ledgerSchema.parse(written.item);
      const mine = ledger.writers[me.name] ?? me.last;
      const settled = written.ok || mine !== me.last;
      me = { ...me, last: mine };
      return { settled, ledger };
    } catch (error) {
      // The outcome is unknown and the write may still take effect, so this name can no longer tell what counted.
      me = newWriter(table);
      throw error;
    }
  };

  const read = async (): Promise<Pool> =>
    toPool(await table.queryAll({ partition: keys.pool(), consistent: true }));

  return {
    read,

    async readForWeights() {
      for (;;) {
        const before = await table.get(keys.weights());
        const pool = await read();
        if (Number(before?.version ?? 0) === pool.weightsVersion) return pool;
      }
    },

    async listed() {
      const items = await table.queryAll({ partition: keys.pool(), consistent: true, only: LISTED });
      const entries = items.filter(
        ({ buyer, retired_at }) => buyer !== undefined && retired_at === undefined,
      );
      const weights = items.find(({ unwritten }) => unwritten !== undefined);
      return inEffect(
        entries.map((item) => listedEntrySchema.parse(item)),
        weights && unwrittenOf(weightsSchema.parse(weights)),
      );
    },

    async entry(buyer) {
      const [item, weights] = await table.getMany([keys.poolEntry(buyer), keys.weights()]);
      const poolEntry = item && poolEntrySchema.parse(item);
      if (poolEntry === undefined || poolEntry.retired_at !== undefined) return undefined;
      return inEffect([poolEntry], weights && unwrittenOf(weightsSchema.parse(weights)))[0];
    },

    settle(seen, changes) {
      const next = seen.version + 1;
      const writers = { ...latest(seen.writers, me.name), [me.name]: next };
      return writeLedger(exactChange(seen, changes, writers));
    },

    async settleBlindly(changes) {
      const all = [...changes];
      let ledger = EMPTY_LEDGER;
      for (let start = 0; start < all.length; start += MAX_CHANGES_PER_WRITE)
        ({ ledger } = await writeLedger(blindChange(me, all.slice(start, start + MAX_CHANGES_PER_WRITE))));
      return ledger;
    },

    ledgerChanged: (seen, changes, blindly) => ({
      key: keys.ledger(),
      ...(blindly ? blindChange(undefined, [...changes]) : exactChange(seen, changes, seen.writers)),
    }),

    async noteRoom(seen, room) {
      await table.update(roomNoted(seen, room));
    },

    roomNoted,

    async noteOpening(seen, opened) {
      await table.update({
        key: keys.poolEntry(seen.buyer),
        update: 'SET opened_at = :opened, version = :next',
        condition: 'version = :seen',
        values: { ':opened': opened, ':seen': seen.version, ':next': seen.version + 1 },
      });
    },

    entryCreated(entry) {
      return { put: { ...keys.poolEntry(entry.buyer), ...entry }, condition: 'attribute_not_exists(pk)' };
    },

    entryChanged,

    entryRetired: (seen, at) =>
      entryChanged(seen, { ...seen, active: false, has_capacity: false, retired_at: at }),

    weightsChanged(seenVersion, unwritten) {
      const left = unwritten !== undefined && unwritten.weights.size > 0 ? unwritten : undefined;
      const removes = unwritten !== undefined && left === undefined;
      return {
        key: keys.weights(),
        update: `SET version = :next${left ? ', unwritten = :unwritten' : ''}${removes ? ' REMOVE unwritten' : ''}`,
        condition: seenVersion === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
        values: {
          ':next': seenVersion + 1,
          ...(seenVersion > 0 && { ':seen': seenVersion }),
          ...(left && {
            ':unwritten': {
              buyers: [...left.weights.keys()],
              weights: [...left.weights.values()],
              by: left.by,
            },
          }),
        },
      };
    },

    async remove(seen) {
      await table.delete({
        delete: keys.poolEntry(seen.buyer),
        condition: 'version = :seen',
        values: { ':seen': seen.version },
      });
    },

    async forgetDeficit(buyer) {
      const { item } = await table.update({
        key: keys.ledger(),
        update: 'SET version = version + :one REMOVE deficits.#buyer',
        condition: 'attribute_exists(deficits.#buyer)',
        names: { '#buyer': String(buyer) },
        values: { ':one': 1 },
      });
      return item === undefined ? EMPTY_LEDGER : ledgerSchema.parse(item);
    },
  };
}

/** On the condition that the ledger still has the version seen. */
function exactChange(seen: Ledger, changes: Deficits, writers: Ledger['writers']): Omit<Update, 'key'> {
  const { version, deficits } = ledgerAfter(seen, changes);
  return {
    update: 'SET version = :next, deficits = :deficits, writers = :writers',
    // A ledger that is missing or unreadable is replaced.
    condition: 'version = :seen OR NOT attribute_type(version, :number)',
    values: {
      ':next': version,
      ':deficits': deficits,
      ':writers': writers,
      ':seen': seen.version,
      ':number': 'N',
    },
  };
}

/** @param me undefined in a transaction */
function blindChange(
  me: Writer | undefined,
  changes: readonly (readonly [number, number])[],
): Omit<Update, 'key'> {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = { ':one': 1, ':zero': 0, ':number': 'N', ':map': 'M' };
  const sets = ['version = version + :one'];
  // If the ledger is missing or unreadable, there are no deficits to change.
  const conditions = [
    'attribute_type(version, :number)',
    'attribute_type(deficits, :map)',
    'attribute_type(writers, :map)',
  ];
  if (me !== undefined) {
    names['#me'] = me.name;
    values[':last'] = me.last;
    sets.push('writers.#me = version + :one');
    conditions.push('(attribute_not_exists(writers.#me) OR writers.#me = :last)');
  }
  for (const [buyer, change] of changes) {
    names[`#b${buyer}`] = String(buyer);
    values[`:c${buyer}`] = change;
    sets.push(`deficits.#b${buyer} = if_not_exists(deficits.#b${buyer}, :zero) + :c${buyer}`);
  }
  return { update: `SET ${sets.join(', ')}`, condition: conditions.join(' AND '), names, values };
}

interface Writer {
  readonly name: string;
  /** The last version that it knows to be its own; 0 before the first. */
  readonly last: number;
}

/** A name of 30 random bits, enough to distinguish `MAX_WRITERS` writers. */
function newWriter(table: Pick<Table, 'runtime'>): Writer {
  return { name: newWriteId(table.runtime).slice(0, 5), last: 0 };
}

/** The latest writers without the oldest ones, so that there is room for one more. */
function latest(writers: Ledger['writers'], me: string): Ledger['writers'] {
  const others = Object.entries(writers).filter(([name]) => name !== me);
  if (others.length < MAX_WRITERS) return writers;
  return Object.fromEntries(others.sort(([, a], [, b]) => b - a).slice(0, MAX_WRITERS - 1));
}

function entryChanged(seen: PoolEntry, entry: PoolEntry): Put {
  return {
    put: { ...keys.poolEntry(entry.buyer), ...entry, version: seen.version + 1 },
    condition: 'version = :seen',
    values: { ':seen': seen.version },
  };
}

/** A pool entry that says what room its order has. */
export function withRoom(entry: PoolEntry, { has_capacity, paced, capped }: Room): PoolEntry {
  const { capped_until: _until, capped_by: _by, paced: _paced, ...rest } = entry;
  return {
    ...rest,
    has_capacity,
    ...(paced && { paced }),
    ...(capped && { capped_until: capped.until.toISOString(), capped_by: capped.by }),
  };
}

/** Whether an entry says the same of its order's room; a cap that has ended says nothing. */
export function saysSo(entry: PoolEntry, { has_capacity, paced, capped }: Room, at: Date): boolean {
  const isCapped = entry.capped_until !== undefined && at < new Date(entry.capped_until);
  return (
    entry.has_capacity === has_capacity &&
    (entry.paced ?? false) === paced &&
    (isCapped ? entry.capped_until : undefined) === capped?.until.toISOString() &&
    (isCapped ? entry.capped_by : undefined) === capped?.by
  );
}

function roomNoted(
  seen: Pick<PoolEntry, 'buyer' | 'order_id' | 'version'>,
  { has_capacity, paced, capped }: Room,
): Update {
  const removed = [...(paced ? [] : ['paced']), ...(capped ? [] : ['capped_until', 'capped_by'])];
  return {
    key: keys.poolEntry(seen.buyer),
    update: [
      'SET has_capacity = :capacity, version = :next',
      ...(paced ? [', paced = :paced'] : []),
      ...(capped ? [', capped_until = :until, capped_by = :by'] : []),
      ...(removed.length > 0 ? [` REMOVE ${removed.join(', ')}`] : []),
    ].join(''),
    condition: 'version = :seen AND order_id = :order',
    values: {
      ':capacity': has_capacity,
      ...(paced && { ':paced': true }),
      ...(capped && { ':until': capped.until.toISOString(), ':by': capped.by }),
      ':seen': seen.version,
      ':next': seen.version + 1,
      ':order': seen.order_id,
    },
  };
}

function toPool(items: readonly Item[]): Pool {
  const entries: PoolEntry[] = [];
  const retired: PoolEntry[] = [];
  let ledger = EMPTY_LEDGER;
  let switches = ALL_SWITCHED_ON;
  let weights: z.output<typeof weightsSchema> = { version: 0 };
  for (const item of items) {
    switch (item.sk) {
      case keys.ledger().sk:
        ledger = ledgerSchema.parse(item);
        break;
      case keys.verificationSwitches().sk:
        switches = verificationSwitchesSchema.parse({ ...ALL_SWITCHED_ON, ...item });
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
