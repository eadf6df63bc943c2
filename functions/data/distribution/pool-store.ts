/** The pool: every buyer's pool entry, the ledger and the verification switches, read in one query. */

import { randomBytes } from 'node:crypto';
import {
  type VerificationSwitches,
  verificationSwitchesSchema,
} from '#functions/data/administration/template';
import { type PoolEntry, poolEntrySchema } from '#functions/data/buyers/buyer';
import { EMPTY_LEDGER, type Ledger, ledgerSchema } from '#functions/data/distribution/ledger';
import { keys } from '#functions/data/table/keys';
import type { Item, Put, Table, Update } from '#functions/data/table/table';

/** Shares by internal buyer id. */
type Deficits = ReadonlyMap<number, number>;

export interface Pool {
  readonly entries: readonly PoolEntry[];
  /** Those of deleted buyers. */
  readonly retired: readonly PoolEntry[];
  readonly ledger: Ledger;
  readonly switches: VerificationSwitches;
  /** The sum of the active buyers' weights is guarded by this version. */
  readonly weightsVersion: number;
}

export const ALL_SWITCHED_ON: VerificationSwitches = {
  email_verification: true,
  phone_verification: true,
  name_verification: true,
};

/**
 * So many processes are remembered as writers of the ledger, which keeps it within one write unit beside twenty buyers.
 * One whose answer was lost is forgotten only after as many others have written since.
 */
const WRITERS = 48;

/** An expression may be 4 KB long; a larger change of the ledger goes in parts. */
const CHANGES_AT_ONCE = 50;

export interface PoolStore {
  read(): Promise<Pool>;
  entry(buyer: number): Promise<PoolEntry | undefined>;
  /**
   * Changes the ledger if it is still the one seen; a repetition of the write by the SDK counts once. A store writes
   * the ledger one call after the other: `LedgerBatcher` sees to that.
   * @returns the ledger as it stands, after the change or as somebody faster left it
   */
  settle(seen: Ledger, changes: Deficits): Promise<{ settled: boolean; ledger: Ledger }>;
  /**
   * Changes the ledger whatever it is by now; otherwise like `settle`.
   * @returns the ledger as it stands
   */
  settleBlindly(changes: Deficits): Promise<Ledger>;
  /** Notes that the pool entry's order is full (or has room again), unless the pool entry has changed since it was seen. */
  noteCapacity(seen: Pick<PoolEntry, 'buyer' | 'order_id' | 'version'>, hasCapacity: boolean): Promise<void>;
  /** The write behind `noteCapacity`, for a transaction. */
  capacityNoted(seen: Pick<PoolEntry, 'buyer' | 'order_id' | 'version'>, hasCapacity: boolean): Update;
  entryCreated(entry: PoolEntry): Put;
  /** The entry as it shall be, on the condition that it is still the one seen. */
  entryChanged(seen: PoolEntry, entry: PoolEntry): Put;
  /** The entry of a buyer that is deleted. */
  entryRetired(seen: PoolEntry, at: string): Put;
  /** Orders every change of the weights: the sum is checked by whoever states the version seen. */
  weightsChanged(seenVersion: number): Update;
  /** Removes the pool entry of a deleted buyer. */
  remove(seen: PoolEntry): Promise<void>;
  /** Takes a deleted buyer out of the ledger. */
  forgetDeficit(buyer: number): Promise<void>;
}

export function createPoolStore(table: Table): PoolStore {
  let me = newWriter();

  /** Writes the ledger as this writer. @returns whether it counted, and the ledger as it stands */
  const writeLedger = async (write: Omit<Update, 'key'>): Promise<{ settled: boolean; ledger: Ledger }> => {
    try {
      const written = await table.update({ key: keys.ledger(), ...write });
      const ledger = written.item === undefined ? EMPTY_LEDGER : ledgerSchema.parse(written.item);
      const mine = ledger.writers[me.name] ?? me.last;
      const settled = written.ok || mine !== me.last;
      me = { ...me, last: mine };
      return { settled, ledger };
    } catch (error) {
      // Nobody knows whether it counted, and it may still come to count: under this name nothing can be told any more.
      me = newWriter();
      throw error;
    }
  };

  return {
    async read() {
      const items = await table.queryAll({ partition: keys.pool(), consistent: true });
      return toPool(items);
    },

    async entry(buyer) {
      const item = await table.get(keys.poolEntry(buyer));
      const poolEntry = item && poolEntrySchema.parse(item);
      return poolEntry?.retired_at === undefined ? poolEntry : undefined;
    },

    settle(seen, changes) {
      const deficits = { ...seen.deficits };
      for (const [buyer, change] of changes) deficits[buyer] = (deficits[buyer] ?? 0) + change;
      const next = seen.version + 1;
      return writeLedger({
        update: 'SET version = :next, deficits = :deficits, writers = :writers',
        // A ledger that is missing or unreadable is replaced.
        condition: 'version = :seen OR NOT attribute_type(version, :number)',
        values: {
          ':next': next,
          ':deficits': deficits,
          ':writers': { ...latest(seen.writers, me.name), [me.name]: next },
          ':seen': seen.version,
          ':number': 'N',
        },
      });
    },

    async settleBlindly(changes) {
      const all = [...changes];
      let ledger = EMPTY_LEDGER;
      for (let start = 0; start < all.length; start += CHANGES_AT_ONCE)
        ({ ledger } = await writeLedger(blindChange(me, all.slice(start, start + CHANGES_AT_ONCE))));
      return ledger;
    },

    async noteCapacity(seen, hasCapacity) {
      await table.update(capacityNoted(seen, hasCapacity));
    },

    capacityNoted,

    entryCreated(entry) {
      return { put: { ...keys.poolEntry(entry.buyer), ...entry }, condition: 'attribute_not_exists(pk)' };
    },

    entryChanged,

    entryRetired: (seen, at) =>
      entryChanged(seen, { ...seen, active: false, has_capacity: false, retired_at: at }),

    weightsChanged(seenVersion) {
      return {
        key: keys.weights(),
        update: 'SET version = :next',
        condition: seenVersion === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
        values: { ':next': seenVersion + 1, ...(seenVersion > 0 && { ':seen': seenVersion }) },
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
      await table.update({
        key: keys.ledger(),
        update: 'SET version = version + :one REMOVE deficits.#buyer',
        condition: 'attribute_exists(deficits.#buyer)',
        names: { '#buyer': String(buyer) },
        values: { ':one': 1 },
      });
    },
  };
}

function blindChange(me: Writer, changes: readonly (readonly [number, number])[]): Omit<Update, 'key'> {
  const names: Record<string, string> = { '#me': me.name };
  const values: Record<string, unknown> = {
    ':one': 1,
    ':zero': 0,
    ':last': me.last,
    ':number': 'N',
    ':map': 'M',
  };
  const sets = ['version = version + :one', 'writers.#me = version + :one'];
  for (const [buyer, change] of changes) {
    names[`#b${buyer}`] = String(buyer);
    values[`:c${buyer}`] = change;
    sets.push(`deficits.#b${buyer} = if_not_exists(deficits.#b${buyer}, :zero) + :c${buyer}`);
  }
  return {
    update: `SET ${sets.join(', ')}`,
    // Where there is no readable ledger any more, there is nothing left that this would change.
    condition:
      'attribute_type(version, :number) AND attribute_type(deficits, :map) AND attribute_type(writers, :map) AND (attribute_not_exists(writers.#me) OR writers.#me = :last)',
    names,
    values,
  };
}

interface Writer {
  readonly name: string;
  /** The last version that it knows to be its own; 0 before the first. */
  readonly last: number;
}

/** Thirty random bits tell four dozen writers apart. */
function newWriter(): Writer {
  return { name: randomBytes(4).toString('base64url').slice(0, 5), last: 0 };
}

/** The others that wrote last, as many as there is room for beside one more. */
function latest(writers: Ledger['writers'], me: string): Ledger['writers'] {
  const others = Object.entries(writers).filter(([name]) => name !== me);
  if (others.length < WRITERS) return writers;
  return Object.fromEntries(others.sort(([, a], [, b]) => b - a).slice(0, WRITERS - 1));
}

function entryChanged(seen: PoolEntry, entry: PoolEntry): Put {
  return {
    put: { ...keys.poolEntry(entry.buyer), ...entry, version: seen.version + 1 },
    condition: 'version = :seen',
    values: { ':seen': seen.version },
  };
}

function capacityNoted(
  seen: Pick<PoolEntry, 'buyer' | 'order_id' | 'version'>,
  hasCapacity: boolean,
): Update {
  return {
    key: keys.poolEntry(seen.buyer),
    update: 'SET has_capacity = :capacity, version = :next',
    condition: 'version = :seen AND order_id = :order',
    values: {
      ':capacity': hasCapacity,
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
  let weightsVersion = 0;
  for (const item of items) {
    switch (item.sk) {
      case keys.ledger().sk:
        ledger = ledgerSchema.parse(item);
        break;
      case keys.verificationSwitches().sk:
        switches = verificationSwitchesSchema.parse({ ...ALL_SWITCHED_ON, ...item });
        break;
      case keys.weights().sk:
        weightsVersion = Number(item.version);
        break;
      default: {
        const poolEntry = poolEntrySchema.parse(item);
        (poolEntry.retired_at === undefined ? entries : retired).push(poolEntry);
      }
    }
  }
  return { entries, retired, ledger, switches, weightsVersion };
}
