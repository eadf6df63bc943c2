/** Buyers, their pool entries in the pool and the guard over the sum of their weights. */
import * as z from 'zod/mini';
import { type Buyer, buyerSchema, type PoolEntry } from '#functions/data/buyers/buyer';
import { keys } from '#functions/data/table/keys';
import {
  equations,
  type Put,
  type Table,
  type TransactionItem,
  type Update,
} from '#functions/data/table/table';

const buyerNameSchema = z.pick(buyerSchema, { buyer: true, buyer_id: true });
export type BuyerName = z.output<typeof buyerNameSchema>;

export interface BuyerStore {
  get(buyer: number): Promise<Buyer | undefined>;
  getMany(buyers: readonly number[]): Promise<(Buyer | undefined)[]>;
  byId(buyerId: string): Promise<Buyer | undefined>;
  /** Every buyer, deleted ones included, the oldest first. */
  all(): Promise<Buyer[]>;
  /** The same, only what names a buyer. */
  allNames(): Promise<BuyerName[]>;
  nextInternalId(): Promise<number>;
  created(buyer: Buyer): TransactionItem[];
  /** The changed fields of a buyer, on the condition that it is still the one seen. */
  changed(seen: Buyer, fields: Readonly<Partial<Buyer>>): Update;
  /** Moves the guard of the chosen id. */
  renamed(buyer: number, from: string, to: string): TransactionItem[];
  poolEntryCreated(poolEntry: PoolEntry): Put;
  /** The pool entry as it shall be, on the condition that it is still the one seen. */
  poolEntryChanged(seen: PoolEntry, poolEntry: PoolEntry): Put;
  /** The pool entry of a buyer that is deleted. */
  poolEntryRetired(seen: PoolEntry, at: string): Put;
  /** Orders every change of the weights: the sum is checked by whoever states the version seen. */
  weightsChanged(seenVersion: number): Update;
}

export function createBuyerStore(table: Table): BuyerStore {
  const get = async (buyer: number) => {
    const item = await table.get(keys.buyer(buyer));
    return item && buyerSchema.parse(item);
  };

  return {
    get,

    async getMany(buyers) {
      const items = await table.getMany(buyers.map((buyer) => keys.buyer(buyer)));
      return items.map((item) => item && buyerSchema.parse(item));
    },

    async byId(buyerId) {
      const guard = await table.get(keys.buyerId(buyerId));
      return guard && get(Number(guard.buyer));
    },

    async all() {
      const items = await table.queryAll({ partition: keys.buyers(), consistent: true });
      return items.map((item) => buyerSchema.parse(item));
    },

    async allNames() {
      const only = Object.keys(buyerNameSchema.shape);
      const items = await table.queryAll({ partition: keys.buyers(), consistent: true, only });
      return items.map((item) => buyerNameSchema.parse(item));
    },

    async nextInternalId() {
      const written = await table.update({
        key: keys.counter('buyer'),
        update: 'ADD #value :one',
        names: { '#value': 'value' },
        values: { ':one': 1 },
      });
      return Number(written.item?.value);
    },

    created(buyer) {
      return [
        { put: { ...keys.buyer(buyer.buyer), ...buyer }, condition: 'attribute_not_exists(pk)' },
        guardTaken(buyer.buyer, buyer.buyer_id),
      ];
    },

    changed(seen, fields) {
      const { texts, names, values } = equations(fields);
      return {
        key: keys.buyer(seen.buyer),
        update: `SET ${['version = :next', ...texts].join(', ')}`,
        condition: 'version = :seen',
        names,
        values: { ...values, ':seen': seen.version, ':next': seen.version + 1 },
      };
    },

    renamed(buyer, from, to) {
      return [{ delete: keys.buyerId(from), condition: 'attribute_exists(pk)' }, guardTaken(buyer, to)];
    },

    poolEntryCreated(poolEntry) {
      return {
        put: { ...keys.poolEntry(poolEntry.buyer), ...poolEntry },
        condition: 'attribute_not_exists(pk)',
      };
    },

    poolEntryChanged,

    poolEntryRetired: (seen, at) =>
      poolEntryChanged(seen, { ...seen, active: false, has_capacity: false, retired_at: at }),

    weightsChanged(seenVersion) {
      return {
        key: keys.weights(),
        update: 'SET version = :next',
        condition: seenVersion === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
        values: { ':next': seenVersion + 1, ...(seenVersion > 0 && { ':seen': seenVersion }) },
      };
    },
  };
}

function poolEntryChanged(seen: PoolEntry, poolEntry: PoolEntry): Put {
  return {
    put: { ...keys.poolEntry(poolEntry.buyer), ...poolEntry, version: seen.version + 1 },
    condition: 'version = :seen',
    values: { ':seen': seen.version },
  };
}

function guardTaken(buyer: number, buyerId: string): Put {
  return { put: { ...keys.buyerId(buyerId), buyer }, condition: 'attribute_not_exists(pk)' };
}

/**
 * States in a transaction that a template exists at that moment. Another version of it tells whoever is about to delete it,
 * and has seen that nobody uses it, to look again.
 */
export function templateChosen(id: string): Update {
  return {
    key: keys.template(id),
    update: 'SET version = version + :one',
    condition: 'attribute_exists(pk)',
    values: { ':one': 1 },
  };
}
