/** Demanding passkeys while the access of an admin is being reset, on the table in memory. */

import { expect, it } from 'vitest';
import * as sessionStore from '#functions/data/administration/session-store';
import { acceptInvitation, resetAdmin } from '#functions/domain/administration/admin-access';
import { addAdmin, openSession } from '#functions/domain/administration/admins';
import {
  addPasskey,
  beginRegistration,
  demandPasskeys,
  type PasskeyContext,
} from '#functions/domain/administration/passkeys';
import { quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

it('leaves the link of a reset admin valid', async () => {
  const table = memoryTable();
  const deps: PasskeyContext = {
    table,
    site: { origin: 'https://leads.example', rpId: 'leads.example' },
    ceremonies: async () => ({
      verifiedRegistration: async () => ({ id: 'key', public_key: '', counter: 0, transports: [] }),
      verifiedAssertion: async () => undefined,
    }),
    runtime: quietRuntime,
  };
  const open = async (username: string) => {
    const admin = await sessionStore.admin({ table }, username);
    const { sessionId } = await openSession(deps, admin!, { from: { address: '', user_agent: '' } });
    return (await sessionStore.findOpen({ table }, { id: sessionId, username }, quietRuntime.now()))!;
  };
  for (const name of ['anna', 'bert', 'carla']) await addAdmin(deps, name, 'a long password');
  const [anna, carla] = [await open('anna'), await open('carla')];
  const { ticket } = await beginRegistration(deps, anna);
  const response = { clientDataJSON: '', attestationObject: '' };
  await addPasskey(deps, anna, {
    ticket,
    name: 'Laptop',
    response: { id: 'key', rawId: 'key', type: 'public-key', response },
  });

  const { token } = await resetAdmin(deps, anna, 'bert');
  await demandPasskeys(deps, anna, true);
  // Who has none is logged out.
  expect(await sessionStore.findOpen({ table }, carla, quietRuntime.now())).toBeUndefined();
  expect(await acceptInvitation(deps, token, 'another password')).toMatchObject({ username: 'bert' });
});
