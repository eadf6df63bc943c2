/** Interleavings that an admin, a second admin or the distribution can cause. */

import { describe, expect } from 'vitest';
import * as settingStore from '#functions/data/administration/settings-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { createCredential, saveSwitches, updateCredential } from '#functions/domain/administration/settings';
import { adminOn, interruptedTable } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const settingsOn = (on: Table) => adminOn(on);

/** A read of an item, followed by a concurrent change. */
const afterReading = ({ pk, sk }: { pk: string; sk: string }) =>
  ({ when: 'after', fits: (key: { pk?: string; sk?: string }) => key.pk === pk && key.sk === sk }) as const;

describe('settings', () => {
  it('keep both flags of a credential after concurrent changes', async ({ table }) => {
    const deps = settingsOn(table);
    const { id } = await createCredential(deps, 'test', {
      user_key: 'u'.repeat(30),
      app_key: 'a'.repeat(30),
      notify_lead_assignment: false,
      notify_lead_claims: false,
    });
    const on = settingsOn(
      interruptedTable(
        table,
        'get',
        () => updateCredential(deps, 'test', id, { notify_lead_assignment: true }),
        afterReading(keys.pushoverCredential(id)),
      ),
    );
    await updateCredential(on, 'test', id, { notify_lead_claims: true });
    expect(await settingStore.credential(deps, id)).toMatchObject({
      notify_lead_assignment: true,
      notify_lead_claims: true,
    });
  });

  it('keep two switches after concurrent changes', async ({ table }) => {
    const deps = settingsOn(table);
    const on = settingsOn(
      interruptedTable(
        table,
        'get',
        () => saveSwitches(deps, 'test', { email_verification: false }),
        afterReading(keys.verificationSwitches()),
      ),
    );
    await saveSwitches(on, 'test', { phone_verification: false });
    expect(await settingStore.switches(deps)).toEqual({
      email_verification: false,
      phone_verification: false,
      name_verification: true,
    });
  });
});
