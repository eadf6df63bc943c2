/** The verification switches, the push credentials and the push text. */
import {
  type PushoverCredential,
  pushoverCredentialSchema,
  type VerificationSwitches,
  verificationSwitchesSchema,
} from '#functions/data/entities/template';
import { keys } from '#functions/data/keys';
import type { Delete, Put, Table } from '#functions/data/table';

/** All checks are made until somebody switches one off. */
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
    switchesChanged: (switches: VerificationSwitches): Put => ({
      put: { ...keys.verificationSwitches(), ...switches },
    }),

    /** The oldest first. */
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
    /** On the condition that it still exists. */
    credentialChanged: (credential: PushoverCredential): Put => ({
      put: { ...keys.pushoverCredential(credential.id), ...credential },
      condition: 'attribute_exists(pk)',
    }),
    credentialRemoved: (id: string): Delete => ({
      delete: keys.pushoverCredential(id),
      condition: 'attribute_exists(pk)',
    }),

    /** Undefined until one was saved. */
    async pushText(): Promise<string | undefined> {
      const item = await table.get(keys.pushoverTemplate());
      return typeof item?.template === 'string' ? item.template : undefined;
    },
    pushTextChanged: (template: string): Put => ({ put: { ...keys.pushoverTemplate(), template } }),
  };
}
