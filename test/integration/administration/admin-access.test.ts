/** Admins in the app: single-use links, reset and removal, sessions and passwords. */

import { describe, expect } from 'vitest';
import { keys } from '#functions/data/table/keys';
import { actionsOn, codeOf, isLoggedIn, logInAs, newAdmin } from '#test/harness/admins';
import { ADMIN, Client } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { MINUTE_MS } from '#test/harness/time';

const cloud = cloudOfFile();

const PASSWORD: string = ADMIN.password;
const tokenOf = (link: string) => link.split('#')[1] ?? '';

const accept = (token: string, password = PASSWORD, client = new Client(cloud.url)) =>
  client.call('acceptInvitation', { body: { token, password } });
const statusesOf = (replies: readonly { readonly status: number }[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other);

describe('a link for a new admin', () => {
  it('works once even for concurrent use, and logs in', async () => {
    const { link } = await cloud.admin.ok('inviteAdmin', { body: { username: 'once' } });
    expect(link).toMatch(/^http:\/\/localhost:\d+\/invitation#[\w-]{43}$/);
    const token = tokenOf(link);
    const seen = await cloud.visitor.ok('viewInvitation', { body: { token } });
    expect(seen).toMatchObject({ kind: 'invite', username: 'once' });
    expect(await logInAs(cloud, 'once').catch(({ status }) => status)).toBe(401);
    const clients = Array.from({ length: 4 }, () => new Client(cloud.url));
    const replies = await Promise.all(
      clients.map((client, at) => accept(token, `${PASSWORD} ${at}`, client)),
    );
    expect(statusesOf(replies)).toEqual([200, 404, 404, 404]);
    const won = replies.findIndex(({ status }) => status === 200);
    expect(await isLoggedIn(clients[won]!)).toBe(true);
    expect(await isLoggedIn(await logInAs(cloud, 'once', `${PASSWORD} ${won}`))).toBe(true);
    expect((await cloud.visitor.call('viewInvitation', { body: { token } })).status).toBe(404);
    expect(await actionsOn(cloud, 'once')).toEqual(['admin invited', 'once joined']);
  });

  it('is stored only as a hash, and is sent if an address is given', async () => {
    const { link, mailed } = await cloud.admin.ok('inviteAdmin', {
      body: { username: 'mailed', email: 'mailed@example.org' },
    });
    expect(mailed).toBe(true);
    const stored: string[] = [];
    for await (const items of cloud.table.scan()) stored.push(JSON.stringify(items));
    expect(stored.join()).not.toContain(tokenOf(link));
    expect(JSON.stringify(cloud.logs)).not.toContain(tokenOf(link));
  });

  it('ends when it is revoked or replaced by a new link for the same name', async () => {
    const make = async (username: string) =>
      tokenOf((await cloud.admin.ok('inviteAdmin', { body: { username } })).link);
    const [first, second] = [await make('again'), await make('Again')];
    expect((await accept(first)).status).toBe(404);
    const { invitations } = await cloud.admin.ok('listAdmins');
    const open = invitations.find(({ username }) => username === 'Again');
    await cloud.admin.ok('withdrawInvitation', { params: { invitationId: open!.invitation_id } });
    expect((await accept(second)).status).toBe(404);
    const { invitations: left } = await cloud.admin.ok('listAdmins');
    expect(left.map(({ username }) => username)).not.toContain('Again');
  });

  it('is rejected for an existing name, ignoring case, and for reserved names of the audit trail', async () => {
    const invite = async (username: string) =>
      codeOf(await cloud.admin.call('inviteAdmin', { body: { username } }));
    expect(await invite('ADMIN')).toBe('admin_exists');
    expect(await invite('System')).toBe('name_reserved');
    expect(await invite('<b>')).toBe('invalid_input');
  });
});

describe('a reset admin', () => {
  it('is logged out immediately, and chooses a new password with the newest link only', async () => {
    const { client, username } = await newAdmin(cloud);
    const { link: given } = await client.ok('inviteAdmin', { body: { username: `${username}-friend` } });
    const first = await cloud.admin.ok('resetAdmin', { params: { username }, body: {} });
    expect(await isLoggedIn(client)).toBe(false);
    expect(await logInAs(cloud, username).catch(({ status }) => status)).toBe(401);
    expect((await accept(tokenOf(given))).status).toBe(404);
    const second = await cloud.admin.ok('resetAdmin', { params: { username }, body: {} });
    expect((await accept(tokenOf(first.link))).status).toBe(404);
    const { admins } = await cloud.admin.ok('listAdmins');
    expect(admins.find((one) => one.username === username)).toMatchObject({ reset: true, own: false });
    expect((await accept(tokenOf(second.link), 'another long password')).status).toBe(200);
    expect(await isLoggedIn(await logInAs(cloud, username, 'another long password'))).toBe(true);
    expect(await actionsOn(cloud, username)).toEqual([
      'admin access_reset',
      'admin access_reset',
      `${username} password_chosen`,
    ]);
  });

  it('cannot be the acting admin', async () => {
    const { client, username } = await newAdmin(cloud);
    expect(codeOf(await client.call('resetAdmin', { params: { username }, body: {} }))).toBe('own_access');
  });
});

it('removal is rejected for the last admin who can log in, and requires reauthentication', async () => {
  const { admins } = await cloud.admin.ok('listAdmins');
  for (const { username } of admins)
    if (username !== ADMIN.username) await cloud.admin.ok('removeAdmin', { params: { username } });
  const { client, username } = await newAdmin(cloud);
  await cloud.admin.ok('resetAdmin', { params: { username }, body: {} });
  const removeSelf = () => cloud.admin.call('removeAdmin', { params: { username: ADMIN.username } });
  expect(codeOf(await removeSelf())).toBe('last_admin');
  await cloud.admin.ok('removeAdmin', { params: { username } });
  expect(await isLoggedIn(client)).toBe(false);
  expect(await actionsOn(cloud, username)).toEqual(['admin access_reset', 'admin removed']);

  await cloud.advance(10 * MINUTE_MS + 1000);
  expect(codeOf(await removeSelf())).toBe('reauthentication_required');
  const reauthenticateWith = (password: string) => cloud.admin.call('reauthenticate', { body: { password } });
  expect(codeOf(await reauthenticateWith('wrong'))).toBe('wrong_password');
  expect((await reauthenticateWith(ADMIN.password)).status).toBe(200);
  expect(codeOf(await removeSelf())).toBe('last_admin');
  for (let wrong = 0; wrong < 5; wrong += 1) await reauthenticateWith('wrong');
  expect((await reauthenticateWith(ADMIN.password)).status).toBe(429);
});

describe('sessions', () => {
  it('are listed with device, address and last use, and can be ended singly or all others at once', async () => {
    const { client, username } = await newAdmin(cloud);
    const phone = new Client(cloud.url);
    const body = { username, password: PASSWORD };
    await phone.ok('login', { body }, { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Safari/605' });
    const third = await logInAs(cloud, username);
    const list = async () => (await client.ok('listSessions', { params: { username } })).sessions;
    expect(await list()).toHaveLength(3);
    const onPhone = (await list()).find(({ device }) => device === 'Safari on iPhone');
    expect(onPhone).toMatchObject({ address: '127.0.0.1', country: null, city: null, own: false });

    // Recorded every few minutes, not with every call.
    const noted = async () =>
      String((await cloud.table.queryAll({ partition: keys.sessions(username) })).map((it) => it.used_at));
    const before = await noted();
    await isLoggedIn(phone);
    expect(await noted()).toBe(before);
    await cloud.advance(6 * MINUTE_MS);
    await isLoggedIn(phone);
    expect((await list())[0]?.session_id).not.toBe(undefined);
    const used = (await list()).find(({ session_id }) => session_id === onPhone?.session_id);
    expect(Date.parse(used!.used_at) - Date.parse(onPhone!.used_at)).toBeGreaterThan(5 * MINUTE_MS);

    await client.ok('endSession', { params: { username, sessionId: onPhone!.session_id } });
    expect([await isLoggedIn(phone), await isLoggedIn(third), await isLoggedIn(client)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await client.ok('endOtherSessions', { params: { username } })).toMatchObject({ ended: 1 });
    expect([await isLoggedIn(third), await isLoggedIn(client)]).toEqual([false, true]);
    expect((await list()).map(({ own }) => own)).toEqual([true]);
  });

  it('except the own one end when the password is changed, which requires the current password', async () => {
    const { client, username } = await newAdmin(cloud);
    const other = await logInAs(cloud, username);
    const change = (current_password: string) =>
      client.call('changePassword', { body: { current_password, password: 'a brand new password' } });
    expect(codeOf(await change('wrong'))).toBe('wrong_password');
    expect((await change(PASSWORD)).status).toBe(200);
    expect([await isLoggedIn(client), await isLoggedIn(other)]).toEqual([true, false]);
    expect(await logInAs(cloud, username).catch(({ status }) => status)).toBe(401);
    expect(await isLoggedIn(await logInAs(cloud, username, 'a brand new password'))).toBe(true);
    expect(await actionsOn(cloud, username)).toEqual([`${username} password_changed`]);
  });
});
