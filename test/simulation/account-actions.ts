/** Admins who log in, invite, reset and remove each other, change passwords and use passkeys, with the rules for that. */

import type { Session } from '#functions/data/administration/admin';
import * as sessionStore from '#functions/data/administration/session-store';
import type { Item } from '#functions/data/table/table';
import {
  acceptInvitation,
  changePassword,
  endSessions,
  inviteAdmin,
  reauthenticateByPassword,
  removeAdmin,
  resetAdmin,
  withdrawInvitation,
} from '#functions/domain/administration/admin-access';
import { addAdmin } from '#functions/domain/administration/admins';
import {
  addPasskey,
  beginLogin,
  beginReauthentication,
  beginRegistration,
  type Ceremonies,
  finishLogin,
  logInByPasskey,
  logInByPassword,
  openSessionWithoutPasskey,
  type PasskeyAssertion,
  type PasskeyContext,
  reauthenticateByPasskey,
  removePasskey,
  renewCodes,
  requirePasskeys,
} from '#functions/domain/administration/passkeys';
import { DomainError } from '#functions/domain/common/errors';
import type { Api } from '#test/simulation/api-process';
import { Violation } from '#test/simulation/kernel';
import { type Actions, by } from '#test/simulation/picks';
import type { SimulatedWorld } from '#test/simulation/world';

export const NAMES = ['anna', 'bert', 'carla', 'dora'];
const ADMINS_AT_FIRST = 2;
/** One password for all, because every hash has its own salt. */
export const PASSWORD = 'a long password';
/** Sequential wrong passwords, from several addresses. */
const GUESSES = 3;
const SITE = { origin: 'https://leads.example', rpId: 'leads.example' };

/** The signature is the challenge itself, and the passkey's counter rises with every use. */
const CEREMONIES: Ceremonies = {
  verifiedRegistration: async (_, challenge, { id, response }) =>
    response.clientDataJSON === challenge ? { id, public_key: '', counter: 0, transports: [] } : undefined,
  verifiedAssertion: async (_, challenge, { counter }, { response }) =>
    response.clientDataJSON === challenge ? counter + 1 : undefined,
};
const signed = (id: string, challenge: string): PasskeyAssertion => ({
  id,
  rawId: id,
  type: 'public-key',
  response: { clientDataJSON: challenge, authenticatorData: '', signature: '' },
});

export const accessOf = (api: Api): PasskeyContext => ({
  table: api.table,
  site: SITE,
  ceremonies: async () => CEREMONIES,
  runtime: api.runtime,
});

/** The first admins, as created by the command line. */
export async function addFirstAdmins(api: Api): Promise<void> {
  for (const name of NAMES.slice(0, ADMINS_AT_FIRST))
    await addAdmin({ table: api.table, runtime: api.runtime }, name, PASSWORD);
}

const accountsOf = ({ known }: SimulatedWorld) => known.accounts;
const once = (world: SimulatedWorld, kind: string, secret: string) => {
  if (!accountsOf(world).once(kind, secret))
    world.scheduler.violation ??= new Violation(`a ${kind} works twice`);
};
const newcomer = (world: SimulatedWorld) => ({
  from: { address: `192.0.2.${world.draws.below('address', 200)}`, user_agent: '' },
});
const password = ({ draws }: SimulatedWorld) => (draws.chance('wrong password', 0.1) ? 'wrong' : PASSWORD);
const pick = <T>(world: SimulatedWorld, name: string, list: readonly T[]): T | undefined =>
  list.length === 0 ? undefined : world.isFocused ? list[0] : world.draws.pick(name, list);
const anAdmin = (world: SimulatedWorld) =>
  pick(
    world,
    'admin',
    world.table.partition('ADMINS').map(({ username }) => String(username)),
  );
const passkeyOf = (world: SimulatedWorld, username: string) =>
  pick(
    world,
    'passkey',
    world.table.partition('PASSKEYS').filter((passkey) => passkey.username === username),
  );

/** An action with a session, if the API would allow it: the session is open, and not limited to registering a passkey. */
const withSession = (
  weight: number,
  act: (
    world: SimulatedWorld,
    username: string,
  ) => ((access: PasskeyContext, session: Session) => Promise<unknown>) | undefined,
  mayBeLimited = false,
) =>
  by(weight, (world) => {
    const { sessions, ended } = accountsOf(world);
    const named = sessions.length === 0 ? undefined : world.draws.pick('session', sessions);
    const run = named && act(world, named.username);
    if (named === undefined || run === undefined) return undefined;
    return async (api) => {
      const access = accessOf(api);
      const hasEnded = ended.has(named.id);
      const session = await sessionStore.findOpen(access, named, api.runtime.now());
      if (session !== undefined && hasEnded)
        world.scheduler.violation ??= new Violation(`a session of ${named.username} that was ended is open`);
      if (session === undefined || (session.limited === true && !mayBeLimited)) return undefined;
      return run(access, session);
    };
  });
/** Actions that end an admin's sessions. */
const ending = (
  weight: number,
  act: (access: PasskeyContext, session: Session, name: string, world: SimulatedWorld) => Promise<unknown>,
) =>
  withSession(weight, (world) => {
    const name = anAdmin(world);
    if (name === undefined) return undefined;
    return async (access, session) => {
      const end = accountsOf(world).ending(name);
      await act(access, session, name, world);
      end();
    };
  });

export const ACCOUNT_ACTIONS: Actions = {
  'log in': by(14, (world) => {
    const username = anAdmin(world);
    if (username === undefined) return undefined;
    const accounts = accountsOf(world);
    const [given, from, byCode] = [password(world), newcomer(world), world.draws.chance('by code', 0.5)];
    const known = pick(
      world,
      'recovery code',
      accounts.codes.filter((one) => one.username === username),
    );
    const passkey = passkeyOf(world, username);
    return async (api) => {
      const access = accessOf(api);
      const taken = await logInByPassword(access, { username, password: given, ...from });
      if ('loggedIn' in taken) return accounts.opened(taken.loggedIn);
      if (byCode && known !== undefined) {
        const loggedIn = await finishLogin(access, taken.ticket, { code: known.code }, from);
        once(world, 'recovery code', known.code);
        return accounts.opened(loggedIn);
      }
      const response = signed(String(passkey?.id), taken.options.challenge);
      return accounts.opened(await finishLogin(access, taken.ticket, { response }, from));
    };
  }),
  'log in by passkey': by(3, (world) => {
    const passkey = pick(world, 'passkey', world.table.partition('PASSKEYS'));
    const [from, again] = [newcomer(world), world.draws.chance('ticket twice', 0.3)];
    return (
      passkey &&
      (async (api) => {
        const [access, accounts] = [accessOf(api), accountsOf(world)];
        const { ticket, options } = await beginLogin(access);
        const answer = async () => {
          const response = signed(String(passkey.id), options.challenge);
          const loggedIn = await logInByPasskey(access, ticket, response, from);
          once(world, 'ticket', ticket);
          accounts.opened(loggedIn);
        };
        const ends = await Promise.allSettled(again ? [answer(), answer()] : [answer()]);
        const failed = ends.find((end) => end.status === 'rejected');
        if (ends.every((end) => end.status === 'rejected')) throw failed?.reason;
      })
    );
  }),
  'log out': withSession(
    2,
    (world) => async (access, session) => {
      await sessionStore.closeSession(access, session);
      accountsOf(world).ended.add(session.id);
    },
    true,
  ),
  guess: by(6, (world) => {
    const guessers = Array.from({ length: GUESSES }, () => newcomer(world));
    return async (api) => {
      for (const from of guessers) {
        const began = world.scheduler.now;
        try {
          await logInByPassword(accessOf(api), { username: 'nobody', password: 'wrong', ...from });
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          if (error.code === 'invalid_credentials') world.known.guesses.push(began);
        }
      }
    };
  }),
  invite: withSession(6, (world) => {
    const name = world.draws.pick('invited', NAMES);
    return async (access, session) =>
      accountsOf(world).links.push((await inviteAdmin(access, session, name)).token);
  }),
  'withdraw an invitation': withSession(2, (world) => {
    const invitation = pick(world, 'invitation', world.table.partition('INVITATIONS'));
    return invitation && ((access, session) => withdrawInvitation(access, session, String(invitation.id)));
  }),
  'accept an invitation': by(8, (world) => {
    const accounts = accountsOf(world);
    const token = accounts.links.length === 0 ? undefined : world.draws.pick('link', accounts.links);
    const from = newcomer(world);
    if (token === undefined) return undefined;
    return async (api) => {
      const access = accessOf(api);
      const admin = await acceptInvitation(access, token, PASSWORD);
      once(world, 'link', token);
      accounts.opened(await openSessionWithoutPasskey(access, admin, from));
    };
  }),
  'reset an admin': ending(4, async (access, session, name, world) => {
    accountsOf(world).links.push((await resetAdmin(access, session, name)).token);
  }),
  'remove an admin': ending(6, removeAdmin),
  'change the password': withSession(4, (world, username) => {
    const current = password(world);
    return async (access, session) => {
      const end = accountsOf(world).ending(username, session.id);
      await changePassword(access, session, { current, password: PASSWORD });
      end();
    };
  }),
  'prove who it is': withSession(2, (world, username) => {
    const [given, passkey] = [password(world), passkeyOf(world, username)];
    return async (access, session) => {
      if (passkey === undefined) return reauthenticateByPassword(access, session, given);
      const { ticket, options } = await beginReauthentication(access, session);
      return reauthenticateByPasskey(access, session, ticket, signed(String(passkey.id), options.challenge));
    };
  }),
  'register a passkey': withSession(
    8,
    (world, username) => {
      const accounts = accountsOf(world);
      accounts.passkeys += 1;
      const id = `passkey${accounts.passkeys}`;
      return async (access, session) => {
        const { ticket, options } = await beginRegistration(access, session);
        const response = {
          id,
          rawId: id,
          type: 'public-key' as const,
          response: { clientDataJSON: options.challenge, attestationObject: '' },
        };
        const codes = await addPasskey(access, session, { ticket, name: id, response });
        accounts.codes.push(...(codes ?? []).slice(0, 2).map((code) => ({ username, code })));
      };
    },
    true,
  ),
  'remove a passkey': withSession(3, (world, username) => {
    const passkey = passkeyOf(world, username);
    return passkey && ((access, session) => removePasskey(access, session, String(passkey.id)));
  }),
  'renew recovery codes': withSession(2, (world, username) => async (access, session) => {
    const codes = await renewCodes(access, session);
    accountsOf(world).codes.push(...codes.slice(0, 2).map((code) => ({ username, code })));
  }),
  'demand passkeys': withSession(2, (world) => {
    const isRequired = world.draws.chance('demanded', 0.6);
    return (access, session) => requirePasskeys(access, session, isRequired);
  }),
  'end sessions': withSession(4, (world) => {
    const [name, accounts] = [anAdmin(world), accountsOf(world)];
    if (name === undefined) return undefined;
    const one = world.draws.chance('one session', 0.5)
      ? pick(world, 'ended session', world.table.partition(`SESSION#${name}`))
      : undefined;
    return async (access, session) => {
      const end = accounts.ending(name, session.id);
      await endSessions(access, session, name, one && String(one.reference));
      if (one === undefined) end();
      else accounts.ended.add(String(one.id));
    };
  }),
};

const MAX_ATTEMPTS = 5;
/** Clocks differ by seconds, and so do windows of fifteen minutes. */
const GUESSED_WITHIN_MS = 14 * 60_000;

/** Violations of login rules in a world at rest, as sentences. */
export function wrongWithAccounts({ known, scheduler }: SimulatedWorld, items: readonly Item[]): string[] {
  const of = (partition: string) => items.filter(({ pk }) => pk === partition);
  const admins = new Map(of('ADMINS').map((admin) => [String(admin.username), admin]));
  // Worlds without admins have no guard of access.
  if (admins.size === 0 && of('ADMINACCESS').length === 0) return [];
  const found: string[] = [];
  if ([...admins.values()].every(({ password_hash }) => password_hash === ''))
    found.push('no admin can log in');
  for (const { username, pk } of [...of('PASSKEYS'), ...of('RECOVERYCODES')])
    if (!admins.has(String(username))) found.push(`${String(username)} is no admin and is in ${String(pk)}`);
  const open = of('INVITATIONS').filter(({ expires_at }) => Number(expires_at) * 1000 > scheduler.now);
  for (const { kind, username, created_by, epoch } of open) {
    const admin = admins.get(String(username));
    if (!admins.has(String(created_by)))
      found.push(`a link of ${String(created_by)}, who is no admin, is open`);
    if (kind === 'invite' ? admin !== undefined : admin === undefined || admin.epoch !== epoch)
      found.push(`a link for ${String(username)} is open and belongs to nobody`);
  }
  for (const from of known.guesses)
    if (known.guesses.filter((at) => at >= from && at < from + GUESSED_WITHIN_MS).length > MAX_ATTEMPTS)
      found.push('more passwords than allowed were checked');
  return found;
}
