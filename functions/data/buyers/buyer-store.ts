/**
 * Buyers, and for each the item that reserves the `buyer_id` that admins chose: ids are unique, and a buyer is found by
 * it.
 */

import * as z from 'zod/mini';
import { type Buyer, buyerSchema } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import { takeNumber } from '#functions/data/table/counter';
import { keys } from '#functions/data/table/keys';
import { equations, type Put, type TransactionItem, type Update } from '#functions/data/table/table';

const buyerNameSchema = z.pick(buyerSchema, { buyer: true, buyer_id: true });
export type BuyerName = z.output<typeof buyerNameSchema>;

/** @param buyer the internal number */
export async function get({ table }: DataContext, buyer: number): Promise<Buyer | undefined> {
  const item = await table.get(keys.buyer(buyer));
  return item && buyerSchema.parse(item);
}

export async function getMany(
  { table }: DataContext,
  buyers: readonly number[],
): Promise<(Buyer | undefined)[]> {
  const items = await table.getMany(buyers.map((buyer) => keys.buyer(buyer)));
  return items.map((item) => item && buyerSchema.parse(item));
}

/** @param buyerId the id that admins chose */
export async function byId(context: DataContext, buyerId: string): Promise<Buyer | undefined> {
  const reserved = await context.table.get(keys.buyerId(buyerId));
  const buyer = reserved && (await get(context, Number(reserved.buyer)));
  // It may have been renamed between the two reads.
  return buyer?.buyer_id === buyerId ? buyer : undefined;
}

/** Every buyer, deleted ones included, the oldest first. */
export async function all({ table }: DataContext): Promise<Buyer[]> {
  const items = await table.queryAll({ partition: keys.buyers(), consistent: true });
  return items.map((item) => buyerSchema.parse(item));
}

/** The numbers and ids of every buyer, deleted ones included, the oldest first. */
export async function allNames({ table }: DataContext): Promise<BuyerName[]> {
  const only = Object.keys(buyerNameSchema.shape);
  const items = await table.queryAll({ partition: keys.buyers(), consistent: true, only });
  return items.map((item) => buyerNameSchema.parse(item));
}

/** Takes an internal number from the counter. No number is given twice. */
export const nextInternalId = ({ table }: DataContext): Promise<number> => takeNumber(table, 'buyer');

/** Fails where the buyer's number or `buyer_id` is taken. */
export function created(buyer: Buyer): TransactionItem[] {
  return [
    { put: { ...keys.buyer(buyer.buyer), ...buyer }, condition: 'attribute_not_exists(pk)' },
    idReserved(buyer.buyer, buyer.buyer_id),
  ];
}

/** Reserves the new `buyer_id` and frees the former one. */
export function renamed(buyer: number, from: string, to: string): TransactionItem[] {
  return [{ delete: keys.buyerId(from), condition: 'attribute_exists(pk)' }, idReserved(buyer, to)];
}

/** Counts a new claim. */
export function claimFiled(buyer: number): Update {
  return claimCounted(buyer, 'total_claims');
}

/**
 * Counts a decided claim.
 * @param fields what else changes with the decision; only then must the buyer be unchanged since it was read
 */
export function claimDecided(
  seen: Buyer,
  status: 'approved' | 'rejected',
  fields: Readonly<Partial<Buyer>>,
): Update {
  const counter = `${status}_claims` as const;
  return Object.keys(fields).length === 0
    ? claimCounted(seen.buyer, counter)
    : changed(seen, { [counter]: seen[counter] + 1, ...fields });
}

/** Counts a decision that is reversed, on the condition that the buyer has not changed since it was read. */
export function claimReversed(
  seen: Buyer,
  to: 'approved' | 'rejected',
  fields: Readonly<Partial<Buyer>>,
): Update {
  const { approved_claims, rejected_claims } = seen;
  const by = to === 'approved' ? 1 : -1;
  return changed(seen, {
    approved_claims: approved_claims + by,
    rejected_claims: rejected_claims - by,
    ...fields,
  });
}

/** Changes these fields, on the condition that the buyer has not changed since it was read. */
export function changed(seen: Buyer, fields: Readonly<Partial<Buyer>>): Update {
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
