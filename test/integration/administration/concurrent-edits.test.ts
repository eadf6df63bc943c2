/** Interleavings that an admin, a second admin or the distribution can cause. */

import { describe, expect } from 'vitest';
import * as settingStore from '#functions/data/administration/settings-store';
import * as templateStore from '#functions/data/administration/template-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import {
  createCredential,
  createTemplate,
  deleteTemplate,
  saveSwitches,
  updateCredential,
} from '#functions/domain/administration/settings';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { aTemplateRequest } from '#test/factories/templates';
import { addBuyers, adminOn } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const settingsOn = (on: Table) => adminOn(on);

/** A table where something happens right after (or before) the first call of a verb that matches. */
function interrupted(
  on: Table,
  verb: keyof Table,
  matches: (args: readonly unknown[]) => boolean,
  happens: () => Promise<unknown>,
  when: 'before' | 'after' = 'after',
): Table {
  let done = false;
  return new Proxy(on, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== verb) return value.bind(target);
      return async (...args: unknown[]) => {
        const now = !done && matches(args);
        if (now) done = true;
        if (now && when === 'before') await happens();
        const result = await value.apply(target, args);
        if (now && when === 'after') await happens();
        return result;
      };
    },
  });
}

const isKey = (key: { pk: string; sk: string }) => (args: readonly unknown[]) =>
  (args[0] as { pk: string; sk: string }).pk === key.pk && (args[0] as { sk: string }).sk === key.sk;

describe('settings', () => {
  it('keep both flags of a credential when they are toggled at once', async ({ table }) => {
    const deps = settingsOn(table);
    const { id } = await createCredential(deps, 'test', {
      user_key: 'u'.repeat(30),
      app_key: 'a'.repeat(30),
      notify_lead_assignment: false,
      notify_lead_claims: false,
    });
    const on = settingsOn(
      interrupted(table, 'get', isKey(keys.pushoverCredential(id)), () =>
        updateCredential(deps, 'test', id, { notify_lead_assignment: true }),
      ),
    );
    await updateCredential(on, 'test', id, { notify_lead_claims: true });
    expect(await settingStore.credential(deps, id)).toMatchObject({
      notify_lead_assignment: true,
      notify_lead_claims: true,
    });
  });

  it('keep two switches when they are changed at once', async ({ table }) => {
    const deps = settingsOn(table);
    const on = settingsOn(
      interrupted(table, 'get', isKey(keys.verificationSwitches()), () =>
        saveSwitches(deps, 'test', { email_verification: false }),
      ),
    );
    await saveSwitches(on, 'test', { phone_verification: false });
    expect(await settingStore.switches(deps)).toEqual({
      email_verification: false,
      phone_verification: false,
      name_verification: true,
    });
  });

  it('keep a template that a buyer starts to use at this moment', async ({ table }) => {
    const deps = settingsOn(table);
    const { id } = await createTemplate(deps, 'test', aTemplateRequest());
    const admin = adminOn(table);
    await addBuyers(table, [{ id: 'b', probability: 1 }]);
    const on = settingsOn(
      interrupted(
        table,
        'transact',
        () => true,
        () => updateBuyer(admin, 'other', 'b', { send_email: true, email_template_id: id }),
        'before',
      ),
    );
    await deleteTemplate(on, 'test', id).catch(() => undefined);
    const buyer = (await buyerStore.all(deps))[0] as unknown as { email_template_id: string | null };
    expect(buyer.email_template_id).toBe(id);
    expect(await templateStore.get(deps, id)).toBeDefined();
  });
});
