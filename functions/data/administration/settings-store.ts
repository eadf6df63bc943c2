import {
  type PushoverCredential,
  pushoverCredentialSchema,
  type VerificationSwitches,
  verificationSwitchesSchema,
} from '#functions/data/administration/settings';
import type { DataContext } from '#functions/data/context';
import { keys } from '#functions/data/table/keys';
import { type Delete, equations, type Put, type Update, unchanged } from '#functions/data/table/table';

/** Every check is on until an admin turns it off. */
export const ALL_CHECKS: VerificationSwitches = {
  email_verification: true,
  phone_verification: true,
  name_verification: true,
};

const CREDENTIALS = keys.pushoverCredential('').sk;

export async function switches({ table }: DataContext): Promise<VerificationSwitches> {
  const item = await table.get(keys.verificationSwitches());
  return verificationSwitchesSchema.parse({ ...ALL_CHECKS, ...item });
}
/** Fails if the switches are not as they were read. */
export function switchesChanged(
  seen: VerificationSwitches,
  change: Readonly<Partial<Record<keyof VerificationSwitches, boolean | undefined>>>,
): Update {
  const { texts, names, values } = equations(change);
  const before = equations(seen, 's');
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
/** Fails if the stored value is not `seen`. */
export const statusPageChanged = (seen: boolean, isPublic: boolean): Put => ({
  put: { ...keys.statusPage(), public: isPublic },
  condition: seen ? '#public = :seen' : 'attribute_not_exists(pk) OR #public = :seen',
  names: { '#public': 'public' },
  values: { ':seen': seen },
});

export async function credentials({ table }: DataContext): Promise<PushoverCredential[]> {
  const items = await table.queryAll({
    partition: keys.pushover(),
    sort: { prefix: CREDENTIALS },
    consistent: true,
  });
  return items.map((item) => pushoverCredentialSchema.parse(item));
}
export async function credential(
  { table }: DataContext,
  id: string,
): Promise<PushoverCredential | undefined> {
  const item = await table.get(keys.pushoverCredential(id));
  return item && pushoverCredentialSchema.parse(item);
}
export const credentialCreated = (credential: PushoverCredential): Put => ({
  put: { ...keys.pushoverCredential(credential.id), ...credential },
  condition: 'attribute_not_exists(pk)',
});
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
export const credentialRemoved = (id: string): Delete => ({
  delete: keys.pushoverCredential(id),
  condition: 'attribute_exists(pk)',
});

export async function pushText({ table }: DataContext): Promise<string | undefined> {
  const item = await table.get(keys.pushoverTemplate());
  return typeof item?.template === 'string' ? item.template : undefined;
}
/** Fails if the stored text is not `seen`, which is undefined if there is none. */
export const pushTextChanged = (seen: string | undefined, template: string): Put => ({
  put: { ...keys.pushoverTemplate(), template },
  ...unchanged('template', seen),
});
