/** Every way to end an admin's access, and how long credentials are valid. */

import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as adminStore from '#functions/data/administration/admin-store';
import * as passkeyStore from '#functions/data/administration/passkey-store';
import * as sessionStore from '#functions/data/administration/session-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import { keys } from '#functions/data/table/keys';
import {
  acceptInvitation,
  addByCommand,
  changePassword,
  findInvitation,
  inviteAdmin,
  removeAdmin,
  requireReauthentication,
  resetAdmin,
  resetPassword,
} from '#functions/domain/administration/admin-access';
import { addAdmin, checkPassword, openSession } from '#functions/domain/administration/admins';
import {
  addPasskey,
  beginRegistration,
  finishLogin,
  logInByPassword,
  type PasskeyContext,
  requirePasskeys,
} from '#functions/domain/administration/passkeys';
import { interruptedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const PASSWORD = 'a long password';
const newcomer = { from: { address: '192.0.2.1', user_agent: '' } };
const answer = {
  id: 'key of bert',
  rawId: 'key of bert',
  type: 'public-key' as const,
  response: { clientDataJSON: '', authenticatorData: '', signature: '' },
};
const made = { ...answer, response: { clientDataJSON: '', attestationObject: '' } };

/** Anna acts; Bert has a session, a passkey with recovery codes, and an invitation link that he created for Carla. */
async function twoAdmins() {
  const table = memoryTable();
  let ms = START;
  const deps: PasskeyContext = {
    table,
    site: { origin: 'https://leads.example', rpId: 'leads.example' },
    ceremonies: async () => ({
      verifiedRegistration: async (_site, _challenge, { id }) => ({
        id,
        public_key: '',
        counter: 0,
        transports: [],
      }),
      verifiedAssertion: async () => 1,
    }),
    runtime: {
      ...quietRuntime,
      now: () => new Date(ms),
      externalServices: {
        scrypt: async (password: string, salt: Buffer, length: number) =>
          scryptSync(password, salt, length, { N: 2 }),
      } as never,
    },
  };
  const open = async (username: string) => {
    const admin = await sessionStore.admin({ table }, username);
    const { sessionId } = await openSession(deps, admin!, newcomer);
    return (await sessionStore.findOpen({ table }, { id: sessionId, username }, deps.runtime.now()))!;
  };
  for (const name of ['anna', 'bert']) await addAdmin(deps, name, PASSWORD);
  const [anna, bert] = [await open('anna'), await open('bert')];
  const { ticket } = await beginRegistration(deps, bert);
  const codes = await addPasskey(deps, bert, { ticket, name: 'Laptop', response: made });
  const { token: carlas } = await inviteAdmin(deps, bert, 'carla');
  return {
    deps,
    table,
    anna,
    bert,
    codes: codes ?? [],
    carlas,
    later: (seconds: number) => (ms = START + seconds * 1000),
  };
}
type Two = Awaited<ReturnType<typeof twoAdmins>>;

it.each<readonly [string, (two: Two) => Promise<unknown>]>([
  ['reset in the app', ({ deps, anna }) => resetAdmin(deps, anna, 'bert')],
  ['reset by the command', ({ deps }) => resetPassword(deps, 'bert', 'another password')],
  ['removed in the app', ({ deps, anna }) => removeAdmin(deps, anna, 'bert')],
  ['removed by the command', ({ deps }) => removeAdmin(deps, undefined, 'bert')],
])('an admin who is %s has no valid credentials left', async (_way, end) => {
  const two = await twoAdmins();
  const { deps, bert, carlas } = two;
  const { table, runtime } = deps;
  const left = async () => ({
    session: (await sessionStore.findOpen({ table }, bert, runtime.now())) !== undefined,
    passkeys: (await passkeyStore.passkeysOf({ table }, 'bert')).length,
    codes: (await passkeyStore.codesOf({ table }, 'bert')).length,
    link: await findInvitation(deps, carlas).then(
      () => true,
      () => false,
    ),
    password: await checkPassword(deps, { ...newcomer, username: 'bert', password: PASSWORD }).then(
      () => true,
      () => false,
    ),
  });
  expect(await left()).toEqual({ session: true, passkeys: 1, codes: 10, link: true, password: true });
  await end(two);
  expect(await left()).toEqual({ session: false, passkeys: 0, codes: 0, link: false, password: false });
});

describe('a link', () => {
  it('of a reset admin stays valid when passkeys are required, which logs out admins without one', async () => {
    const { deps, anna, bert } = await twoAdmins();
    await addAdmin(deps, 'dora', PASSWORD);
    const { token } = await resetAdmin(deps, anna, 'dora');
    await requirePasskeys(deps, bert, true);
    expect(await sessionStore.findOpen(deps, anna, deps.runtime.now())).toBeUndefined();
    expect(await acceptInvitation(deps, token, 'another password')).toMatchObject({ username: 'dora' });
  });

  it.for(['carla', 'Carla'])(
    'does not work for an admin who has just used an earlier link, as %s',
    async (second) => {
      const { deps, anna, carlas } = await twoAdmins();
      const accept = async () =>
        expect(await acceptInvitation(deps, carlas, 'another password')).toMatchObject({ username: 'carla' });
      const fits = ({ partition }: { partition?: string }) => partition === keys.invitations();
      const slow = { ...deps, table: interruptedTable(deps.table, 'queryAll', accept, { fits }) };
      await expect(inviteAdmin(slow, anna, second)).rejects.toMatchObject({ code: 'admin_exists' });
      expect(await adminStore.invitations(deps, deps.runtime.now())).toEqual([]);
    },
  );

  it('does not work for an admin created on the command line', async () => {
    const { deps, carlas } = await twoAdmins();
    expect(await addByCommand(deps, 'Carla', PASSWORD)).toBe(true);
    expect(await addByCommand(deps, 'carla', PASSWORD)).toBe(false);
    await expect(acceptInvitation(deps, carlas, 'another password')).rejects.toMatchObject({
      code: 'invitation_not_found',
    });
  });
});

describe('the second factor', () => {
  const second = async ({ deps }: Two) => {
    const taken = await logInByPassword(deps, { ...newcomer, username: 'bert', password: PASSWORD });
    if (!('ticket' in taken)) throw new Error('The password alone let in');
    return taken.ticket;
  };
  const change = ({ deps, bert }: Two) =>
    changePassword(deps, bert, { current: PASSWORD, password: 'another password' });

  it.each<readonly [string, (two: Two) => Parameters<typeof finishLogin>[2]]>([
    ['a passkey', () => ({ response: answer })],
    ['a recovery code', ({ codes }) => ({ code: codes[0] ?? '' })],
  ])('by %s follows only the password that is still valid', async (_by, shown) => {
    const two = await twoAdmins();
    const inTime = await second(two);
    expect(await finishLogin(two.deps, inTime, shown(two), newcomer)).toHaveProperty('sessionId');
    const other = await twoAdmins();
    const ticket = await second(other);
    await change(other);
    await expect(finishLogin(other.deps, ticket, shown(other), newcomer)).rejects.toMatchObject({
      kind: 'unauthenticated',
    });
  });
});

describe('a credential', () => {
  const MINUTE = 60;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;
  /** Creates a credential, and returns a check of its validity. */
  const LIFETIMES: readonly (readonly [string, number, (two: Two) => Promise<() => Promise<unknown>>])[] = [
    [
      'the link for a new admin',
      72 * HOUR,
      async ({ deps, carlas }) =>
        () =>
          findInvitation(deps, carlas),
    ],
    [
      'the link of a reset admin',
      72 * HOUR,
      async ({ deps, anna }) => {
        const { token } = await resetAdmin(deps, anna, 'bert');
        return () => findInvitation(deps, token);
      },
    ],
    [
      'a password login before the second factor',
      5 * MINUTE,
      async ({ deps }) => {
        const taken = await logInByPassword(deps, { ...newcomer, username: 'bert', password: PASSWORD });
        return () => finishLogin(deps, 'ticket' in taken ? taken.ticket : '', { response: answer }, newcomer);
      },
    ],
    [
      'the ticket for registering a passkey',
      5 * MINUTE,
      async ({ deps, anna }) => {
        const { ticket } = await beginRegistration(deps, anna);
        return () =>
          addPasskey(deps, anna, { ticket, name: 'Phone', response: { ...made, id: 'key of anna' } });
      },
    ],
    [
      'the link for confirming an erasure',
      365 * DAY,
      async ({ deps, table }) => {
        const recipient = { erasure_id: 'e', buyer: 1 };
        await table.put({
          put: {
            ...keys.erasureRecipient('e', 1),
            ...recipient,
            leads: [],
            by_hand: false,
            email_count: 1,
          },
        });
        await erasureStore.tokenMade({ table }, 't', recipient, deps.runtime.now());
        return async () =>
          (await erasureStore.byToken({ table }, 't', deps.runtime.now())) ??
          Promise.reject(new Error('over'));
      },
    ],
  ];

  it.each(LIFETIMES)('%s is valid for exactly %i seconds', async (_what, seconds, make) => {
    const before = await twoAdmins();
    const stillOpen = await make(before);
    before.later(seconds - 1);
    await expect(stillOpen()).resolves.toBeDefined();
    const after = await twoAdmins();
    const over = await make(after);
    after.later(seconds);
    await expect(over()).rejects.toThrow();
  });

  it('a reauthentication is valid for exactly ten minutes', async () => {
    const { deps, anna, later } = await twoAdmins();
    later(10 * MINUTE);
    expect(() => requireReauthentication(deps, anna)).not.toThrow();
    later(10 * MINUTE + 1);
    expect(() => requireReauthentication(deps, anna)).toThrow('Confirm your identity.');
  });
});

describe('a session', () => {
  it('cannot change access after its admin was reset or removed', async () => {
    for (const end of [resetAdmin, removeAdmin]) {
      const { deps, anna, bert } = await twoAdmins();
      await end(deps, anna, 'bert');
      await expect(inviteAdmin(deps, bert, 'dora')).rejects.toMatchObject({ kind: 'unauthenticated' });
    }
  });

  it('can register ten passkeys, and only the first creates recovery codes', async () => {
    const { deps, bert, codes } = await twoAdmins();
    const register = async (id: string) => {
      const { ticket } = await beginRegistration(deps, bert);
      return addPasskey(deps, bert, { ticket, name: id, response: { ...made, id } });
    };
    for (let at = 2; at <= 10; at += 1) expect(await register(`key ${at}`)).toBeNull();
    await expect(register('key 11')).rejects.toMatchObject({ code: 'too_many_passkeys' });
    expect(await passkeyStore.codesOf(deps, 'bert')).toHaveLength(codes.length);
    expect(await passkeyStore.codesOf(deps, 'anna')).toEqual([]);
  });
});
