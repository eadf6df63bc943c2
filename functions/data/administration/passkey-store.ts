import {
  type Challenge,
  challengeSchema,
  type Passkey,
  passkeySchema,
  type RecoveryCode,
  recoveryCodeSchema,
} from '#functions/data/administration/admin';
import type { DataContext } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { itemRemoved, newItem, read, readAll } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Delete, Item, Put } from '#functions/data/table/table';

const openChallenge = (item: Item | undefined, now: Date): Challenge | undefined => {
  const challenge = item && challengeSchema.parse(item);
  return challenge !== undefined && challenge.expires_at > epochSeconds(now) ? challenge : undefined;
};

export const all = (context: DataContext): Promise<Passkey[]> =>
  readAll(context, { partition: keys.passkeys() }, passkeySchema);
async function codes({ table }: DataContext, username?: string): Promise<RecoveryCode[]> {
  const items = await table.queryAll({
    partition: keys.recoveryCodes(),
    ...(username !== undefined && { sort: { prefix: keys.recoveryCode(username, '').sk } }),
    consistent: true,
  });
  return items
    .map((item) => recoveryCodeSchema.parse(item))
    .filter((code) => username === undefined || code.username === username);
}

export async function passkeysOf(context: DataContext, username: string): Promise<Passkey[]> {
  return (await all(context)).filter((passkey) => passkey.username === username);
}
export const passkey = (context: DataContext, id: string): Promise<Passkey | undefined> =>
  read(context, keys.passkey(id), passkeySchema);
export const added = (passkey: Passkey): Put => newItem(keys.passkey(passkey.id), passkey);
export const removed = ({ id }: Pick<Passkey, 'id'>): Delete => itemRemoved(keys.passkey(id));
/** @returns false if the counter changed meanwhile, or the passkey was removed */
export async function used(
  { table }: DataContext,
  { id, counter: expected }: Passkey,
  counter: number,
  now: Date,
): Promise<boolean> {
  const { ok } = await table.update({
    key: keys.passkey(id),
    update: 'SET #counter = :counter, used_at = :now',
    condition: '#counter = :expected',
    names: { '#counter': 'counter' },
    values: { ':counter': counter, ':now': now.toISOString(), ':expected': expected },
  });
  return ok;
}

export const allCodes = (context: DataContext) => codes(context);
export const codesOf = (context: DataContext, username: string) => codes(context, username);
export const codeMade = (code: RecoveryCode): Put => ({
  put: { ...keys.recoveryCode(code.username, code.hash), ...code },
});
/** Fails if the code was used before. */
export const codeUsed = ({ username, hash }: RecoveryCode): Delete =>
  itemRemoved(keys.recoveryCode(username, hash));

export async function challenge({ table }: DataContext, challenge: Challenge): Promise<void> {
  await table.put({ put: { ...keys.challenge(challenge.hash), ...challenge } });
}
export async function findChallenge(
  { table }: DataContext,
  hash: string,
  now: Date,
): Promise<Challenge | undefined> {
  return openChallenge(await table.get(keys.challenge(hash)), now);
}
/** @returns undefined if it was taken before or has expired */
export async function takeChallenge(
  { table }: DataContext,
  hash: string,
  now: Date,
): Promise<Challenge | undefined> {
  const { ok, item } = await table.delete(itemRemoved(keys.challenge(hash)));
  return ok ? openChallenge(item, now) : undefined;
}
export const challengeEnded = ({ hash }: Pick<Challenge, 'hash'>): Delete =>
  itemRemoved(keys.challenge(hash));
