/** Inviting somebody while an earlier link for the name is used, on the table in memory. */

import { expect, it } from 'vitest';
import * as adminStore from '#functions/data/administration/admin-store';
import * as sessionStore from '#functions/data/administration/session-store';
import { keys } from '#functions/data/table/keys';
import { acceptInvitation, addByCommand, inviteAdmin } from '#functions/domain/administration/admin-access';
import { addAdmin, openSession } from '#functions/domain/administration/admins';
import { interruptedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

async function withAnna() {
  const table = memoryTable();
  const deps = { table, runtime: quietRuntime };
  await addAdmin(deps, 'anna', 'a long password');
  const admin = await sessionStore.admin({ table }, 'anna');
  const { sessionId } = await openSession(deps, admin!, { from: { address: '', user_agent: '' } });
  const anna = await sessionStore.findOpen(
    { table },
    { id: sessionId, username: 'anna' },
    quietRuntime.now(),
  );
  return { deps, anna: anna! };
}

it.for(['dora', 'Dora'])('leaves no second link for an admin who has just come in, as %s', async (second) => {
  const { deps, anna } = await withAnna();
  const { token } = await inviteAdmin(deps, anna, 'dora');
  const accept = async () =>
    expect(await acceptInvitation(deps, token, 'another password')).toMatchObject({ username: 'dora' });
  const fits = ({ partition }: { partition?: string }) => partition === keys.invitations();
  const slow = { ...deps, table: interruptedTable(deps.table, 'queryAll', accept, { fits }) };
  await expect(inviteAdmin(slow, anna, second)).rejects.toMatchObject({ code: 'admin_exists' });
  expect(await adminStore.invitations(deps, quietRuntime.now())).toEqual([]);
});

it('lets nobody in by a link for a name that the command line has given', async () => {
  const { deps, anna } = await withAnna();
  const { token } = await inviteAdmin(deps, anna, 'dora');
  expect(await addByCommand(deps, 'Dora', 'a long password')).toBe(true);
  expect(await addByCommand(deps, 'dora', 'a long password')).toBe(false);
  await expect(acceptInvitation(deps, token, 'another password')).rejects.toMatchObject({
    code: 'invitation_not_found',
  });
});
