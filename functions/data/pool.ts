/** The pool: every buyer's slot, the ledger and the verification switches, read in one query. */

import { type Slot, slotSchema } from '#functions/data/entities/buyer';
import { EMPTY_LEDGER, type Ledger, ledgerSchema } from '#functions/data/entities/ledger';
import { type VerificationSwitches, verificationSwitchesSchema } from '#functions/data/entities/template';
import { keys } from '#functions/data/keys';
import type { Item, Table, Update } from '#functions/data/table';

export interface Pool {
  readonly slots: readonly Slot[];
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

/** Enough for a burst: a repeated write looks for its own tag among the last so many. */
const RECENT = 24;

export interface PoolStore {
  read(): Promise<Pool>;
  slot(buyer: number): Promise<Slot | undefined>;
  /**
   * Changes the ledger if it is still the one seen.
   * @param tag names this write; repeated with the same tag it counts once
   * @returns the ledger as it stands when somebody else was faster
   */
  settle(
    seen: Ledger,
    tag: string,
    changes: ReadonlyMap<number, number>,
  ): Promise<{ settled: true } | { settled: false; ledger: Ledger }>;
  /** Changes the ledger whatever it is by now; repeated with the same tag it counts once. */
  settleBlindly(tag: string, changes: ReadonlyMap<number, number>): Promise<void>;
  /** Notes that the slot's order is full (or has room again), unless the slot has changed since it was seen. */
  noteRoom(seen: Pick<Slot, 'buyer' | 'order_id' | 'version'>, hasRoom: boolean): Promise<void>;
}

export function createPoolStore(table: Table): PoolStore {
  return {
    async read() {
      const items = await table.queryAll({ partition: keys.pool(), consistent: true });
      return toPool(items);
    },

    async slot(buyer) {
      const item = await table.get(keys.slot(buyer));
      return item && slotSchema.parse(item);
    },

    async settle(seen, tag, changes) {
      const deficits = { ...seen.deficits };
      for (const [buyer, change] of changes) deficits[buyer] = (deficits[buyer] ?? 0) + change;
      const written = await table.update({
        key: keys.ledger(),
        update: 'SET version = :next, deficits = :deficits, recent = :recent',
        condition: seen.version === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
        values: {
          ':next': seen.version + 1,
          ':deficits': deficits,
          ':recent': [tag, ...seen.recent].slice(0, RECENT),
          ...(seen.version > 0 && { ':seen': seen.version }),
        },
      });
      if (written.ok) return { settled: true };
      const ledger = written.item === undefined ? EMPTY_LEDGER : ledgerSchema.parse(written.item);
      return ledger.recent.includes(tag) ? { settled: true } : { settled: false, ledger };
    },

    async settleBlindly(tag, changes) {
      const names: Record<string, string> = {};
      const values: Record<string, unknown> = { ':one': 1, ':zero': 0, ':tags': [tag], ':tag': tag };
      const sets = ['version = version + :one', 'recent = list_append(:tags, recent)'];
      for (const [buyer, change] of changes) {
        names[`#b${buyer}`] = String(buyer);
        values[`:c${buyer}`] = change;
        sets.push(`deficits.#b${buyer} = if_not_exists(deficits.#b${buyer}, :zero) + :c${buyer}`);
      }
      // A failed condition means that this very write has already counted.
      await table.update({
        key: keys.ledger(),
        update: `SET ${sets.join(', ')}`,
        condition: 'attribute_exists(pk) AND NOT contains(recent, :tag)',
        names,
        values,
      });
    },

    async noteRoom(seen, hasRoom) {
      await table.update(roomNote(seen, hasRoom));
    },
  };
}

/** The write behind `noteRoom`, which a transaction may hold as well. */
export function roomNote(seen: Pick<Slot, 'buyer' | 'order_id' | 'version'>, hasRoom: boolean): Update {
  return {
    key: keys.slot(seen.buyer),
    update: 'SET has_room = :room, version = :next',
    condition: 'version = :seen AND order_id = :order',
    values: { ':room': hasRoom, ':seen': seen.version, ':next': seen.version + 1, ':order': seen.order_id },
  };
}

function toPool(items: readonly Item[]): Pool {
  const slots: Slot[] = [];
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
      default:
        slots.push(slotSchema.parse(item));
    }
  }
  return { slots, ledger, switches, weightsVersion };
}
