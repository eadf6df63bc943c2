/** The state of e-mail addresses, by a keyed hash. An entry expires a year after its last change. */
import { createHmac } from 'node:crypto';
import type { Context, DataContext } from '#functions/data/context';
import { type Address, type AddressState, addressSchema, stateOf } from '#functions/data/deliveries/address';
import type { Lead } from '#functions/data/leads/lead';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { versioned } from '#functions/data/table/items';
import { type Key, keys } from '#functions/data/table/keys';

const KEPT_SECONDS = 365 * 24 * 3600;

/** @param key the key of person fingerprints */
export const addressHash = (key: Uint8Array, email: string): string =>
  createHmac('sha256', key).update(`address\n${email.trim().toLowerCase()}`).digest('base64url');

export interface StoredAddress {
  readonly key: Key;
  readonly address: Address;
  /** 0: no entry. */
  readonly version: number;
}

interface KeyedTable extends DataContext {
  readonly personKey: () => Promise<Uint8Array>;
}
export interface AddressContext extends Context, KeyedTable {}

export const keyOf = async ({ personKey }: KeyedTable, email: string): Promise<Key> =>
  keys.address(addressHash(await personKey(), email));

export async function addressState(context: KeyedTable, email: string): Promise<AddressState | undefined> {
  const item = await context.table.get(await keyOf(context, email));
  return item && stateOf(addressSchema.parse(item));
}

export async function addressStates(
  context: KeyedTable,
  emails: readonly string[],
): Promise<(AddressState | undefined)[]> {
  const wanted = await Promise.all(emails.map((email) => keyOf(context, email)));
  const once = new Map(wanted.map((key) => [key.pk, key]));
  const items = once.size === 0 ? [] : await context.table.getMany([...once.values()]);
  const states = new Map(
    [...once.keys()].map((pk, at) => {
      const item = items[at];
      return [pk, item && stateOf(addressSchema.parse(item))];
    }),
  );
  return wanted.map(({ pk }) => states.get(pk));
}

/** @param consistent false costs half, but may miss a recent write */
export async function read(context: KeyedTable, email: string, consistent = true): Promise<StoredAddress> {
  const key = await keyOf(context, email);
  const item = await context.table.get(key, { consistent });
  return {
    key,
    address: item === undefined ? { events: [] } : addressSchema.parse(item),
    version: Number(item?.version ?? 0),
  };
}

/** @returns false if it changed since it was read */
export async function write(
  { table }: KeyedTable,
  { key, version }: StoredAddress,
  address: Address,
  now: Date,
): Promise<boolean> {
  const expires_at = epochSeconds(now) + KEPT_SECONDS;
  const item = { ...key, ...addressSchema.parse(address), expires_at };
  return (await table.put(versioned(item, version))).ok;
}

/** @param personKey undefined if unknown */
export async function keyOfLead(
  personKey: KeyedTable['personKey'] | undefined,
  { email, address }: Pick<Lead, 'email' | 'address'>,
): Promise<Key | undefined> {
  if (address !== undefined) return keys.address(address);
  return email === '' || personKey === undefined
    ? undefined
    : keys.address(addressHash(await personKey(), email));
}

export async function forget(
  { table, personKey }: DataContext & { readonly personKey: KeyedTable['personKey'] | undefined },
  lead: Pick<Lead, 'email' | 'address'>,
): Promise<void> {
  const key = await keyOfLead(personKey, lead);
  if (key !== undefined) await table.delete({ delete: key });
}
