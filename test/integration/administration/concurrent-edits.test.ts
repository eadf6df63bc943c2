/** Interleavings that an admin, a second admin or the distribution can cause. */

import { expect } from 'vitest';
import * as settingStore from '#functions/data/administration/settings-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { createCredential, saveSwitches, updateCredential } from '#functions/domain/administration/settings';
import { adminOn, interruptedTable } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

/** Settings in which a read of an item is followed by a concurrent change. */
const changedAfterReading = (
  table: Table,
  { pk, sk }: { pk: string; sk: string },
  change: () => Promise<unknown>,
) =>
  adminOn(
    interruptedTable(table, 'get', change, {
      when: 'after',
      fits: (key) => key.pk === pk && key.sk === sk,
    }),
  );

it('a credential keeps both flags after concurrent changes', async ({ table, admin }) => {
  const { id } = await createCredential(admin, 'test', {
    user_key: 'u'.repeat(30),
    app_key: 'a'.repeat(30),
    notify_lead_assignment: false,
    notify_lead_claims: false,
  });
  const on = changedAfterReading(table, keys.pushoverCredential(id), () =>
    updateCredential(admin, 'test', id, { notify_lead_assignment: true }),
  );
  await updateCredential(on, 'test', id, { notify_lead_claims: true });
  expect(await settingStore.credential(admin, id)).toMatchObject({
    notify_lead_assignment: true,
    notify_lead_claims: true,
  });
});

it('settings keep two switches after concurrent changes', async ({ table, admin }) => {
  const on = changedAfterReading(table, keys.verificationSwitches(), () =>
    saveSwitches(admin, 'test', { email_verification: false }),
  );
  await saveSwitches(on, 'test', { phone_verification: false });
  expect(await settingStore.switches(admin)).toEqual({
    email_verification: false,
    phone_verification: false,
    name_verification: true,
  });
});
