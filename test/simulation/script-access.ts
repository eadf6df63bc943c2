/** Verbs of stored histories about access. */
import * as sessionStore from '#functions/data/administration/session-store';
import { acceptInvitation, inviteAdmin, resetAdmin } from '#functions/domain/administration/admin-access';
import { openSession } from '#functions/domain/administration/admins';
import { addPasskey, beginRegistration, requirePasskeys } from '#functions/domain/administration/passkeys';
import { accessOf, addFirstAdmins, PASSWORD } from '#test/simulation/account-actions';
import type { Given, Verbs } from '#test/simulation/verbs';

async function sessionOf({ api }: Given, username: string) {
  const access = accessOf(api);
  const admin = await sessionStore.admin(access, username);
  if (admin === undefined) throw new Error(`There is no admin ${username}`);
  const opened = await openSession(access, admin, { from: { address: '192.0.2.1', user_agent: '' } });
  const session = await sessionStore.findOpen(access, { id: opened.sessionId, username }, api.runtime.now());
  if (session === undefined) throw new Error(`The session of ${username} is not open`);
  return { access, session };
}

export const ACCESS: Verbs = {
  /** Anna and Bert. */
  'add first admins': ({ api }) => addFirstAdmins(api),
  invite: async (given, by: string, name: string) => {
    const { access, session } = await sessionOf(given, by);
    given.world.known.accounts.links.push((await inviteAdmin(access, session, name)).token);
  },
  /** @param link one of those that were created */
  'use link': async ({ api, world }, link: number) => {
    const access = accessOf(api);
    await acceptInvitation(access, world.known.accounts.links[link - 1] ?? '', PASSWORD);
  },
  reset: async (given, by: string, name: string) => {
    const { access, session } = await sessionOf(given, by);
    given.world.known.accounts.links.push((await resetAdmin(access, session, name)).token);
  },
  'register passkey': async (given, username: string) => {
    const { access, session } = await sessionOf(given, username);
    const { ticket, options } = await beginRegistration(access, session);
    const answer = { clientDataJSON: options.challenge, attestationObject: '' };
    const response = { id: `key of ${username}`, rawId: '', type: 'public-key' as const, response: answer };
    await addPasskey(access, session, { ticket, name: username, response });
  },
  'demand passkeys': async (given, by: string) => {
    const { access, session } = await sessionOf(given, by);
    await requirePasskeys(access, session, true);
  },
};
