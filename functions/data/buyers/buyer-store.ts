import * as z from 'zod/mini';
import { type Buyer, buyerSchema } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import { takeNumber } from '#functions/data/table/counter';
import { itemRemoved, newItem, read, readAll, readMany } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import { equations, type Put, type TransactionItem, type Update } from '#functions/data/table/table';
import type { DecidedStatus } from '#shared/rules/constants';

const buyerNameSchema = z.pick(buyerSchema, { buyer: true, buyer_id: true });
export type BuyerName = z.output<typeof buyerNameSchema>;

export const get = (context: DataContext, buyer: number): Promise<Buyer | undefined> =>
  read(context, keys.buyer(buyer), buyerSchema);

/** By internal number. */
export async function getMany(
  context: DataContext,
  buyers: readonly number[],
): Promise<ReadonlyMap<number, Buyer>> {
  const distinct = [...new Set(buyers)].map((buyer) => keys.buyer(buyer));
  const found = await readMany(context, distinct, buyerSchema);
  return new Map(found.flatMap((buyer) => (buyer === undefined ? [] : [[buyer.buyer, buyer] as const])));
}

/** The buyers of these entities, by internal number. */
export const ofEach = (context: DataContext, named: readonly Pick<Buyer, 'buyer'>[]) =>
  getMany(
    context,
    named.map(({ buyer }) => buyer),
  );

export async function byId(context: DataContext, buyerId: string): Promise<Buyer | undefined> {
  const reserved = await context.table.get(keys.buyerId(buyerId));
  const buyer = reserved && (await get(context, Number(reserved.buyer)));
  // It may have been renamed between the two reads.
  return buyer?.buyer_id === buyerId ? buyer : undefined;
}

export const all = (context: DataContext): Promise<Buyer[]> =>
  readAll(context, { partition: keys.buyers() }, buyerSchema);

export async function allNames({ table }: DataContext): Promise<BuyerName[]> {
  const only = Object.keys(buyerNameSchema.shape);
  const items = await table.queryAll({ partition: keys.buyers(), consistent: true, only });
  return items.map((item) => buyerNameSchema.parse(item));
}

export const nextInternalId = ({ table }: DataContext): Promise<number> => takeNumber(table, 'buyer');

/** Fails if the buyer's number or `buyer_id` is taken. */
export function created(buyer: Buyer): TransactionItem[] {
  return [newItem(keys.buyer(buyer.buyer), buyer), idReserved(buyer.buyer, buyer.buyer_id)];
}

export function renamed(buyer: number, from: string, to: string): TransactionItem[] {
  return [itemRemoved(keys.buyerId(from)), idReserved(buyer, to)];
}

export function claimFiled(buyer: number): Update {
  return claimCounted(buyer, 'total_claims');
}

/** @param fields further changes; with them, the buyer must be unchanged since it was read */
export function claimDecided(expected: Buyer, status: DecidedStatus, fields: Partial<Buyer>): Update {
  const counter = `${status}_claims` as const;
  return Object.keys(fields).length === 0
    ? claimCounted(expected.buyer, counter)
    : changed(expected, { [counter]: expected[counter] + 1, ...fields });
}

export function claimReversed(expected: Buyer, to: DecidedStatus, fields: Partial<Buyer>): Update {
  const { approved_claims, rejected_claims } = expected;
  const by = to === 'approved' ? 1 : -1;
  return changed(expected, {
    approved_claims: approved_claims + by,
    rejected_claims: rejected_claims - by,
    ...fields,
  });
}

export function changed(expected: Buyer, fields: Readonly<Partial<Buyer>>): Update {
  const { texts, names, values } = equations(fields);
  return {
    key: keys.buyer(expected.buyer),
    update: `SET ${['version = :next', ...texts].join(', ')}`,
    condition: 'version = :expected',
    names,
    values: { ...values, ':expected': expected.version, ':next': expected.version + 1 },
  };
}

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
  return newItem(keys.buyerId(buyerId), { buyer });
}
