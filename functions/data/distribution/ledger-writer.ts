/** Changes of the ledger by one writer, which recognises its own writes by its name. */
import { EMPTY_LEDGER, type Ledger, ledgerAfter, ledgerSchema } from '#functions/data/distribution/ledger';
import { keys } from '#functions/data/table/keys';
import type { Table, Update } from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';

/** Parts of a lead, by internal buyer ID. */
export type Deficits = ReadonlyMap<number, number>;

/** With this many and twenty buyers the item fits into one write unit. */
const MAX_WRITERS = 48;

/** Expressions are limited to 4 KB; a larger change is written in parts. */
export const MAX_CHANGES_PER_WRITE = 50;

export interface LedgerWriter {
  /**
   * Changes the ledger if it still has this version; a write repeated by the SDK counts once. Calls of one writer must
   * not overlap, which `LedgerBatcher` ensures. @returns whether the change was made, and the ledger as it is now
   */
  settle(expected: Ledger, changes: Deficits): Promise<{ settled: boolean; ledger: Ledger }>;
  /** Like `settle`, whatever the version. @returns the ledger as it is now */
  settleBlindly(changes: Deficits): Promise<Ledger>;
}

export function createLedgerWriter(table: Table): LedgerWriter {
  let me = newWriter(table);

  const writeLedger = async (write: Omit<Update, 'key'>): Promise<{ settled: boolean; ledger: Ledger }> => {
    try {
      const written = await table.update({ key: keys.ledger(), ...write });
      const ledger = written.item === undefined ? EMPTY_LEDGER : ledgerSchema.parse(written.item);
      const mine = ledger.writers[me.name] ?? me.last;
      const settled = written.ok || mine !== me.last;
      me = { ...me, last: mine };
      return { settled, ledger };
    } catch (error) {
      // The outcome is unknown and the write may still take effect, so this name no longer shows which write did.
      me = newWriter(table);
      throw error;
    }
  };

  return {
    settle(expected, changes) {
      const next = expected.version + 1;
      const writers = { ...latest(expected.writers, me.name), [me.name]: next };
      return writeLedger(exactChange(expected, changes, writers));
    },

    async settleBlindly(changes) {
      const all = [...changes];
      let ledger = EMPTY_LEDGER;
      for (let start = 0; start < all.length; start += MAX_CHANGES_PER_WRITE)
        ({ ledger } = await writeLedger(blindChange(me, all.slice(start, start + MAX_CHANGES_PER_WRITE))));
      return ledger;
    },
  };
}

export function exactChange(
  expected: Ledger,
  changes: Deficits,
  writers: Ledger['writers'],
): Omit<Update, 'key'> {
  const { version, deficits } = ledgerAfter(expected, changes);
  return {
    update: 'SET version = :next, deficits = :deficits, writers = :writers',
    // A ledger that is missing or unreadable is replaced.
    condition: 'version = :expected OR NOT attribute_type(version, :number)',
    values: {
      ':next': version,
      ':deficits': deficits,
      ':writers': writers,
      ':expected': expected.version,
      ':number': 'N',
    },
  };
}

/** @param me undefined in a transaction */
export function blindChange(
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
  readonly last: number;
}

function newWriter(table: Pick<Table, 'runtime'>): Writer {
  return { name: newWriteId(table.runtime).slice(0, 5), last: 0 };
}

function latest(writers: Ledger['writers'], me: string): Ledger['writers'] {
  const others = Object.entries(writers).filter(([name]) => name !== me);
  if (others.length < MAX_WRITERS) return writers;
  return Object.fromEntries(others.sort(([, a], [, b]) => b - a).slice(0, MAX_WRITERS - 1));
}
