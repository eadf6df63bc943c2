import {
  type PushoverCredential,
  pushoverCredentialSchema,
  type VerificationSwitches,
  verificationSwitchesSchema,
} from '#functions/data/administration/settings';
import type { DataContext } from '#functions/data/context';
import { itemRemoved, newItem, read, readAll } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import { type Delete, equations, type Put, type Update, unchanged } from '#functions/data/table/table';

const CREDENTIALS = keys.pushoverCredential('').sk;

export async function switches({ table }: DataContext): Promise<VerificationSwitches> {
  return verificationSwitchesSchema.parse((await table.get(keys.verificationSwitches())) ?? {});
}
/** Fails if a switch has changed since it was read. */
export function switchesChanged(
  expected: VerificationSwitches,
  change: Readonly<Partial<Record<keyof VerificationSwitches, boolean | undefined>>>,
): Update {
  const { texts, names, values } = equations(change);
  const before = equations(expected, 's');
  return {
    key: keys.verificationSwitches(),
    update: `SET ${texts.join(', ')}`,
    condition: before.texts.map((text, at) => `(attribute_not_exists(#s${at}) OR ${text})`).join(' AND '),
    names: { ...names, ...before.names },
    values: { ...values, ...before.values },
  };
}

export async function statusPagePublic({ table }: DataContext): Promise<boolean> {
  return (await table.get(keys.statusPage()))?.public === true;
}
/** Fails if the stored value is not `expected`. */
export const statusPageChanged = (expected: boolean, isPublic: boolean): Put => ({
  put: { ...keys.statusPage(), public: isPublic },
  condition: expected ? '#public = :expected' : 'attribute_not_exists(pk) OR #public = :expected',
  names: { '#public': 'public' },
  values: { ':expected': expected },
});

export const credentials = (context: DataContext): Promise<PushoverCredential[]> =>
  readAll(context, { partition: keys.pushover(), sort: { prefix: CREDENTIALS } }, pushoverCredentialSchema);
export const credential = (context: DataContext, id: string): Promise<PushoverCredential | undefined> =>
  read(context, keys.pushoverCredential(id), pushoverCredentialSchema);
export const credentialCreated = (credential: PushoverCredential): Put =>
  newItem(keys.pushoverCredential(credential.id), credential);
/** Only these flags, so that two admins can change one each; fails if the credential was removed. */
export function credentialChanged(
  id: string,
  flags: Readonly<Partial<Record<'notify_lead_assignment' | 'notify_lead_claims', boolean | undefined>>>,
): Update {
  const { texts, names, values } = equations(flags);
  return {
    key: keys.pushoverCredential(id),
    update: `SET ${texts.join(', ')}`,
    condition: 'attribute_exists(pk)',
    names,
    values,
  };
}
export const credentialRemoved = (id: string): Delete => itemRemoved(keys.pushoverCredential(id));

export async function pushText({ table }: DataContext): Promise<string | undefined> {
  const item = await table.get(keys.pushoverTemplate());
  return typeof item?.template === 'string' ? item.template : undefined;
}
/** Fails if the stored text is not `expected`; undefined means none. */
export const pushTextChanged = (expected: string | undefined, template: string): Put => ({
  put: { ...keys.pushoverTemplate(), template },
  ...unchanged('template', expected),
});
