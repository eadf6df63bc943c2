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
import { keys } from '#functions/data/table/keys';
import type { Delete, Item, Put } from '#functions/data/table/table';

const openChallenge = (item: Item | undefined, now: Date): Challenge | undefined => {
  const challenge = item && challengeSchema.parse(item);
  return challenge !== undefined && challenge.expires_at > epochSeconds(now) ? challenge : undefined;
};

export async function all({ table }: DataContext): Promise<Passkey[]> {
  const items = await table.queryAll({ partition: keys.passkeys(), consistent: true });
  return items.map((item) => passkeySchema.parse(item));
}
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
export async function passkey({ table }: DataContext, id: string): Promise<Passkey | undefined> {
  const item = await table.get(keys.passkey(id));
  return item && passkeySchema.parse(item);
}
export const added = (passkey: Passkey): Put => ({
  put: { ...keys.passkey(passkey.id), ...passkey },
  condition: 'attribute_not_exists(pk)',
});
export const removed = ({ id }: Pick<Passkey, 'id'>): Delete => ({
  delete: keys.passkey(id),
  condition: 'attribute_exists(pk)',
});
/** @returns false if the counter changed meanwhile, or the passkey was removed */
export async function used(
  { table }: DataContext,
  { id, counter: seen }: Passkey,
  counter: number,
  now: Date,
): Promise<boolean> {
  const { ok } = await table.update({
    key: keys.passkey(id),
    update: 'SET #counter = :counter, used_at = :now',
    condition: '#counter = :seen',
    names: { '#counter': 'counter' },
    values: { ':counter': counter, ':now': now.toISOString(), ':seen': seen },
  });
  return ok;
}

export const allCodes = (context: DataContext) => codes(context);
export const codesOf = (context: DataContext, username: string) => codes(context, username);
export const codeMade = (code: RecoveryCode): Put => ({
  put: { ...keys.recoveryCode(code.username, code.hash), ...code },
});
/** Fails if the code was used before. */
export const codeUsed = ({ username, hash }: RecoveryCode): Delete => ({
  delete: keys.recoveryCode(username, hash),
  condition: 'attribute_exists(pk)',
});

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
  const { ok, item } = await table.delete({
    delete: keys.challenge(hash),
    condition: 'attribute_exists(pk)',
  });
  return ok ? openChallenge(item, now) : undefined;
}
export const challengeEnded = ({ hash }: Pick<Challenge, 'hash'>): Delete => ({
  delete: keys.challenge(hash),
  condition: 'attribute_exists(pk)',
});
