/** The verification switches, the switch of the status page, the push credentials and the push text. */

import {
  type PushoverCredential,
  pushoverCredentialSchema,
  type VerificationSwitches,
  verificationSwitchesSchema,
} from '#functions/data/administration/settings';
import type { DataContext } from '#functions/data/context';
import { keys } from '#functions/data/table/keys';
import { type Delete, equations, type Put, type Update, unchanged } from '#functions/data/table/table';

/** Every check is on until an admin switches it off. */
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
/** Changes these switches, on the condition that they are as they were read. One that was never changed is on. */
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

/** Whether everybody may read the status page: nobody, until an admin says so. */
export async function statusPagePublic({ table }: DataContext): Promise<boolean> {
  return (await table.get(keys.statusPage()))?.public === true;
}
/** @param seen what was read; fails if it is otherwise by now */
export const statusPageChanged = (seen: boolean, isPublic: boolean): Put => ({
  put: { ...keys.statusPage(), public: isPublic },
  condition: seen ? '#public = :seen' : 'attribute_not_exists(pk) OR #public = :seen',
  names: { '#public': 'public' },
  values: { ':seen': seen },
});

/** All credentials, the oldest first. */
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
/** Changes these flags only, so that two admins can toggle one each; fails where the credential was removed. */
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

/** The text of push notifications; undefined until an admin has saved one. */
export async function pushText({ table }: DataContext): Promise<string | undefined> {
  const item = await table.get(keys.pushoverTemplate());
  return typeof item?.template === 'string' ? item.template : undefined;
}
/** @param seen the stored text, undefined if there is none; fails if it is another one by now */
export const pushTextChanged = (seen: string | undefined, template: string): Put => ({
  put: { ...keys.pushoverTemplate(), template },
  ...unchanged('template', seen),
});
