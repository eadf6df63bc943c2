/** Buyers, and the guard over the ids that admins chose for them. */
import * as z from 'zod/mini';
import { type Buyer, buyerSchema } from '#functions/data/buyers/buyer';
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
  claimFiled(buyer: number): Update;
  /** @param fields what else changes with the decision; only then must the buyer be the one seen */
  claimDecided(seen: Buyer, status: 'approved' | 'rejected', fields: Readonly<Partial<Buyer>>): Update;
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

    changed,

    renamed(buyer, from, to) {
      return [{ delete: keys.buyerId(from), condition: 'attribute_exists(pk)' }, guardTaken(buyer, to)];
    },

    claimFiled(buyer) {
      return claimCounted(buyer, 'total_claims');
    },

    claimDecided(seen, status, fields) {
      const counter = `${status}_claims` as const;
      return Object.keys(fields).length === 0
        ? claimCounted(seen.buyer, counter)
        : changed(seen, { [counter]: seen[counter] + 1, ...fields });
    },
  };
}

function changed(seen: Buyer, fields: Readonly<Partial<Buyer>>): Update {
  const { texts, names, values } = equations(fields);
  return {
    key: keys.buyer(seen.buyer),
    update: `SET ${['version = :next', ...texts].join(', ')}`,
    condition: 'version = :seen',
    names,
    values: { ...values, ':seen': seen.version, ':next': seen.version + 1 },
  };
}

/** A counter needs nothing to be as it was seen. */
function claimCounted(
  buyer: number,
  counter: 'total_claims' | 'approved_claims' | 'rejected_claims',
): Update {
  return {
    key: keys.buyer(buyer),
    update: `ADD ${counter} :one, version :one`,
    condition: 'attribute_exists(pk)',
    values: { ':one': 1 },
  };
}

function guardTaken(buyer: number, buyerId: string): Put {
  return { put: { ...keys.buyerId(buyerId), buyer }, condition: 'attribute_not_exists(pk)' };
}
