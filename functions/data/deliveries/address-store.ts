/**
 * What is known of e-mail addresses, found by a keyed hash: the address itself is not stored. An entry disappears a year after its
 * last change.
 */
import { createHmac } from 'node:crypto';
import type { Context, DataContext } from '#functions/data/context';
import { type Address, type AddressState, addressSchema, stateOf } from '#functions/data/deliveries/address';
import type { Lead } from '#functions/data/leads/lead';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { type Key, keys } from '#functions/data/table/keys';

const KEPT_SECONDS = 365 * 24 * 3600;

/** The keyed hash of an address, whose case does not matter. @param key that of persons */
export const addressHash = (key: Uint8Array, email: string): string =>
  createHmac('sha256', key).update(`address\n${email.trim().toLowerCase()}`).digest('base64url');

/** An address as it was read. */
export interface SeenAddress {
  readonly key: Key;
  readonly address: Address;
  /** 0: there is no entry. */
  readonly version: number;
}

interface KeyedTable extends DataContext {
  /** The key by which persons are hashed; read when it is needed first. */
  readonly personKey: () => Promise<Uint8Array>;
}
export interface AddressContext extends Context, KeyedTable {}

export const keyOf = async ({ personKey }: KeyedTable, email: string): Promise<Key> =>
  keys.address(addressHash(await personKey(), email));

/** What is known against an address; undefined while it works as far as is known. */
export async function addressState(context: KeyedTable, email: string): Promise<AddressState | undefined> {
  const item = await context.table.get(await keyOf(context, email));
  return item && stateOf(addressSchema.parse(item));
}

/** The same of several, in their order, in one read. */
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

/** @param consistent false: half the cost, and what was written a moment ago may be missing */
export async function read(context: KeyedTable, email: string, consistent = true): Promise<SeenAddress> {
  const key = await keyOf(context, email);
  const item = await context.table.get(key, { consistent });
  return {
    key,
    address: item === undefined ? { events: [] } : addressSchema.parse(item),
    version: Number(item?.version ?? 0),
  };
}

/** @returns false when it has changed since it was read */
export async function write(
  { table }: KeyedTable,
  { key, version }: SeenAddress,
  address: Address,
  now: Date,
): Promise<boolean> {
  const { ok } = await table.put({
    put: {
      ...key,
      ...addressSchema.parse(address),
      version: version + 1,
      expires_at: epochSeconds(now) + KEPT_SECONDS,
    },
    condition: version === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
    ...(version !== 0 && { values: { ':seen': version } }),
  });
  return ok;
}

/** Where what is known of a lead's address stands. @param personKey undefined where it is not known */
export async function keyOfLead(
  personKey: KeyedTable['personKey'] | undefined,
  { email, address }: Pick<Lead, 'email' | 'address'>,
): Promise<Key | undefined> {
  if (address !== undefined) return keys.address(address);
  return email === '' || personKey === undefined
    ? undefined
    : keys.address(addressHash(await personKey(), email));
}

/** Removes all that is known of a lead's address. */
export async function forget(
  { table, personKey }: DataContext & { readonly personKey: KeyedTable['personKey'] | undefined },
  lead: Pick<Lead, 'email' | 'address'>,
): Promise<void> {
  const key = await keyOfLead(personKey, lead);
  if (key !== undefined) await table.delete({ delete: key });
}
