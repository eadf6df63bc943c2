/** The verification switches, the switch of the status page, the push credentials and the push text. */
import {
  type PushoverCredential,
  pushoverCredentialSchema,
  type VerificationSwitches,
  verificationSwitchesSchema,
} from '#functions/data/administration/settings';
import { keys } from '#functions/data/table/keys';
import {
  type Delete,
  equations,
  type Put,
  type Table,
  type Update,
  unchanged,
} from '#functions/data/table/table';

/** Every check is on until an admin switches it off. */
export const ALL_CHECKS: VerificationSwitches = {
  email_verification: true,
  phone_verification: true,
  name_verification: true,
};

const CREDENTIALS = keys.pushoverCredential('').sk;

export type SettingStore = ReturnType<typeof createSettingStore>;

export function createSettingStore(table: Table) {
  return {
    async switches(): Promise<VerificationSwitches> {
      const item = await table.get(keys.verificationSwitches());
      return verificationSwitchesSchema.parse({ ...ALL_CHECKS, ...item });
    },
    /** Changes these switches, on the condition that they are as they were read. One that was never changed is on. */
    switchesChanged: (
      seen: VerificationSwitches,
      change: Readonly<Partial<Record<keyof VerificationSwitches, boolean | undefined>>>,
    ): Update => {
      const { texts, names, values } = equations(change);
      const before = equations(seen, 's');
      return {
        key: keys.verificationSwitches(),
        update: `SET ${texts.join(', ')}`,
        condition: before.texts.map((text, at) => `(attribute_not_exists(#s${at}) OR ${text})`).join(' AND '),
        names: { ...names, ...before.names },
        values: { ...values, ...before.values },
      };
    },

    /** Whether everybody may read the status page: nobody, until an admin says so. */
    async statusPagePublic(): Promise<boolean> {
      return (await table.get(keys.statusPage()))?.public === true;
    },
    /** @param seen what was read; fails if it is otherwise by now */
    statusPageChanged: (seen: boolean, isPublic: boolean): Put => ({
      put: { ...keys.statusPage(), public: isPublic },
      condition: seen ? '#public = :seen' : 'attribute_not_exists(pk) OR #public = :seen',
      names: { '#public': 'public' },
      values: { ':seen': seen },
    }),

    /** All credentials, the oldest first. */
    async credentials(): Promise<PushoverCredential[]> {
      const items = await table.queryAll({
        partition: keys.pushover(),
        sort: { prefix: CREDENTIALS },
        consistent: true,
      });
      return items.map((item) => pushoverCredentialSchema.parse(item));
    },
    async credential(id: string): Promise<PushoverCredential | undefined> {
      const item = await table.get(keys.pushoverCredential(id));
      return item && pushoverCredentialSchema.parse(item);
    },
    credentialCreated: (credential: PushoverCredential): Put => ({
      put: { ...keys.pushoverCredential(credential.id), ...credential },
      condition: 'attribute_not_exists(pk)',
    }),
    /** Changes these flags only, so that two admins can toggle one each; fails where the credential was removed. */
    credentialChanged: (
      id: string,
      flags: Readonly<Partial<Record<'notify_lead_assignment' | 'notify_lead_claims', boolean | undefined>>>,
    ): Update => {
      const { texts, names, values } = equations(flags);
      return {
        key: keys.pushoverCredential(id),
        update: `SET ${texts.join(', ')}`,
        condition: 'attribute_exists(pk)',
        names,
        values,
      };
    },
    credentialRemoved: (id: string): Delete => ({
      delete: keys.pushoverCredential(id),
      condition: 'attribute_exists(pk)',
    }),

    /** The text of push notifications; undefined until an admin has saved one. */
    async pushText(): Promise<string | undefined> {
      const item = await table.get(keys.pushoverTemplate());
      return typeof item?.template === 'string' ? item.template : undefined;
    },
    /** @param seen the stored text, undefined if there is none; fails if it is another one by now */
    pushTextChanged: (seen: string | undefined, template: string): Put => ({
      put: { ...keys.pushoverTemplate(), template },
      ...unchanged('template', seen),
    }),
  };
}
