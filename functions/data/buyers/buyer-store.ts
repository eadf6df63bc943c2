/**
 * Buyers, and for each the item that reserves the `buyer_id` that admins chose: ids are unique, and a buyer is found by
 * it.
 */

import * as z from 'zod/mini';
import { type Buyer, buyerSchema } from '#functions/data/buyers/buyer';
import { takeNumber } from '#functions/data/table/counter';
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
  /** @param buyer the internal number */
  get(buyer: number): Promise<Buyer | undefined>;
  getMany(buyers: readonly number[]): Promise<(Buyer | undefined)[]>;
  /** @param buyerId the id that admins chose */
  byId(buyerId: string): Promise<Buyer | undefined>;
  /** Every buyer, deleted ones included, the oldest first. */
  all(): Promise<Buyer[]>;
  /** The numbers and ids of every buyer, deleted ones included, the oldest first. */
  allNames(): Promise<BuyerName[]>;
  /** Takes an internal number from the counter. No number is given twice. */
  nextInternalId(): Promise<number>;
  /** Fails where the buyer's number or `buyer_id` is taken. */
  created(buyer: Buyer): TransactionItem[];
  /** Changes these fields, on the condition that the buyer has not changed since it was read. */
  changed(seen: Buyer, fields: Readonly<Partial<Buyer>>): Update;
  /** Reserves the new `buyer_id` and frees the former one. */
  renamed(buyer: number, from: string, to: string): TransactionItem[];
  /** Counts a new claim. */
  claimFiled(buyer: number): Update;
  /**
   * Counts a decided claim.
   * @param fields what else changes with the decision; only then must the buyer be unchanged since it was read
   */
  claimDecided(seen: Buyer, status: 'approved' | 'rejected', fields: Readonly<Partial<Buyer>>): Update;
  /** Counts a decision that is reversed, on the condition that the buyer has not changed since it was read. */
  claimReversed(seen: Buyer, to: 'approved' | 'rejected', fields: Readonly<Partial<Buyer>>): Update;
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
      const reserved = await table.get(keys.buyerId(buyerId));
      const buyer = reserved && (await get(Number(reserved.buyer)));
      // It may have been renamed between the two reads.
      return buyer?.buyer_id === buyerId ? buyer : undefined;
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

    nextInternalId: () => takeNumber(table, 'buyer'),

    created(buyer) {
      return [
        { put: { ...keys.buyer(buyer.buyer), ...buyer }, condition: 'attribute_not_exists(pk)' },
        idReserved(buyer.buyer, buyer.buyer_id),
      ];
    },

    changed,

    renamed(buyer, from, to) {
      return [{ delete: keys.buyerId(from), condition: 'attribute_exists(pk)' }, idReserved(buyer, to)];
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

    claimReversed(seen, to, fields) {
      const { approved_claims, rejected_claims } = seen;
      const by = to === 'approved' ? 1 : -1;
      return changed(seen, {
        approved_claims: approved_claims + by,
        rejected_claims: rejected_claims - by,
        ...fields,
      });
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

/** Adds one to a counter, which is right whatever else of the buyer has changed. */
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

function idReserved(buyer: number, buyerId: string): Put {
  return { put: { ...keys.buyerId(buyerId), buyer }, condition: 'attribute_not_exists(pk)' };
}
