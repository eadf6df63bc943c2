/** Passkeys, alone and after the password, recovery codes, and required passkeys. */

import { describe, expect } from 'vitest';
import { resetPassword } from '#functions/domain/administration/admin-access';
import { actionsOn, codeOf, isLoggedIn, logInAs, newAdmin } from '#test/harness/admins';
import { Authenticator } from '#test/harness/authenticator';
import { ADMIN, Client } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { MINUTE_MS } from '#test/harness/time';

const cloud = cloudOfFile();

const PASSWORD: string = ADMIN.password;
const deps = () => ({
  table: cloud.table,
  runtime: cloud.runtime,
});

async function register(client: Client, key = new Authenticator(cloud.url)) {
  const { recovery_codes: codes } = await client.ok('addPasskey', {
    body: key.make(await client.ok('beginPasskey')),
  });
  return { key, codes: codes ?? [] };
}
/** An admin with a passkey and recovery codes. */
async function newKeeper() {
  const admin = await newAdmin(cloud);
  return { ...admin, ...(await register(admin.client)) };
}
/** The login ticket after the right password. */
async function secondOf(username: string, client = new Client(cloud.url)) {
  const answer = await client.ok('login', { body: { username, password: PASSWORD } });
  if (answer.message !== 'Second factor required') throw new Error('The password alone let in');
  return answer;
}
const byPasskey = async (key: Authenticator, flaws = {}, client = new Client(cloud.url)) =>
  client.call('passkeyLogin', { body: key.show(await client.ok('beginPasskeyLogin'), flaws) });
const byCode = async (username: string, code: string, client = new Client(cloud.url)) => {
  const { ticket } = await secondOf(username, client);
  return client.call('finishLogin', { body: { ticket, code } });
};

describe('a passkey', () => {
  it('logs in alone, and is required after the password', async () => {
    const { username, key, codes } = await newKeeper();
    expect(new Set(codes).size).toBe(10);
    expect(codes.every((code) => /^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/.test(code))).toBe(true);
    const alone = new Client(cloud.url);
    expect((await byPasskey(key, {}, alone)).status).toBe(200);
    expect(await isLoggedIn(alone)).toBe(true);
    const after = new Client(cloud.url);
    const second = await secondOf(username, after);
    expect(await isLoggedIn(after)).toBe(false);
    const { ticket, response } = key.show(second);
    expect((await after.call('finishLogin', { body: { ticket, response } })).status).toBe(200);
    expect(await isLoggedIn(after)).toBe(true);
    const { passkeys, recovery_codes: left } = await after.ok('listPasskeys');
    expect(passkeys).toMatchObject([{ name: 'Laptop', used_at: expect.any(String) }]);
    expect(left).toBe(10);
    expect(await actionsOn(cloud, username)).toEqual([`${username} passkey_added`]);
    const stored: string[] = [];
    for await (const items of cloud.table.scan()) stored.push(JSON.stringify(items));
    for (const code of codes) expect(stored.join()).not.toContain(code.replaceAll('-', ''));
  });

  it('cannot log in to another account', async () => {
    const [one, other] = [await newKeeper(), await newKeeper()];
    for (const userHandle of [other.key.userHandle, 'AAAA']) {
      expect(codeOf(await byPasskey(one.key, { userHandle }))).toBe('invalid_passkey');
      const second = one.key.show(await secondOf(one.username), { userHandle });
      expect(codeOf(await cloud.visitor.call('finishLogin', { body: second }))).toBe('invalid_passkey');
    }
    // Authenticators may leave it out if the site names the passkey.
    for (const userHandle of [one.key.userHandle, undefined])
      expect((await byPasskey(one.key, { userHandle })).status).toBe(200);
  });

  it('must sign its own challenge once, on this site, for a verified user', async () => {
    const { key, client } = await newKeeper();
    const visitor = new Client(cloud.url);
    const body = key.show(await visitor.ok('beginPasskeyLogin'));
    expect((await visitor.call('passkeyLogin', { body })).status).toBe(200);
    expect(codeOf(await visitor.call('passkeyLogin', { body }))).toBe('challenge_over');
    for (const flaws of [
      { origin: 'https://leads.example.com' },
      { rpId: 'leads.example.com' },
      { unverified: true },
    ])
      expect((await byPasskey(key, flaws)).status, JSON.stringify(flaws)).toBe(401);
    expect(cloud.logs.filter((line) => line.includes('"passkey refused"'))).toEqual([
      expect.stringContaining('"reason":"Unexpected authentication response origin …'),
      expect.stringContaining('"reason":"Unexpected RP ID hash"'),
      expect.stringContaining('"reason":"User verification required, but user could not be verified"'),
    ]);
    const unverified = new Authenticator(cloud.url).make(await client.ok('beginPasskey'), {
      unverified: true,
    });
    expect(codeOf(await client.call('addPasskey', { body: unverified }))).toBe('invalid_passkey');
    // A challenge is valid for one purpose only.
    const { ticket } = await client.ok('beginReauthentication');
    expect(codeOf(await visitor.call('passkeyLogin', { body: { ...body, ticket } }))).toBe('challenge_over');
    expect((await byPasskey(new Authenticator(cloud.url))).status).toBe(401);
  });

  it('is rejected when its counter decreases, unless it has no counter', async () => {
    const { key } = await newKeeper();
    expect((await byPasskey(key)).status).toBe(200);
    key.counter = 7;
    expect((await byPasskey(key)).status).toBe(200);
    key.counter = 6;
    expect((await byPasskey(key)).status).toBe(401);
    key.counter = 0;
    expect((await byPasskey(key)).status).toBe(401);
    key.counter = 8;
    expect((await byPasskey(key)).status).toBe(200);
  });

  it('reauthenticates a session, and is required to remove passkeys', async () => {
    const { client, key } = await newKeeper();
    const { passkeys } = await client.ok('listPasskeys');
    const remove = () =>
      client.call('removePasskey', { params: { passkeyId: passkeys[0]?.passkey_id ?? '' } });
    await cloud.advance(10 * MINUTE_MS + 1000);
    expect(codeOf(await remove())).toBe('reauthentication_required');
    const passkey = key.show(await client.ok('beginReauthentication'));
    await client.ok('reauthenticate', { body: { passkey } });
    expect((await remove()).status).toBe(200);
    expect(await client.ok('listPasskeys')).toEqual({ passkeys: [], recovery_codes: 0 });
    expect((await byPasskey(key)).status).toBe(401);
  });
});

describe('a recovery code', () => {
  it('logs in once after the password, even for concurrent use', async () => {
    const { username, codes } = await newKeeper();
    const typed = codes[0]!.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o');
    const replies = await Promise.all([1, 2, 3].map(() => byCode(username, typed)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await byCode(username, codes[0]!)).status).toBe(401);
    expect((await byCode(username, codes[1]!)).status).toBe(200);
    expect(await actionsOn(cloud, username)).toEqual(
      ['passkey_added', 'recovery_code_used', 'recovery_code_used'].map((action) => `${username} ${action}`),
    );
  });

  it('ends when new codes are created', async () => {
    const { username, codes, client } = await newKeeper();
    const { recovery_codes: fresh } = await client.ok('renewRecoveryCodes');
    expect((await byCode(username, codes[0]!)).status).toBe(401);
    expect((await byCode(username, fresh[0]!)).status).toBe(200);
  });
});

it('five wrong attempts within 15 minutes lock codes, passkeys and reauthentication separately, and the address', async () => {
  const { username, codes, client, key } = await newKeeper();
  await cloud.advance(15 * MINUTE_MS + 1000);
  const { ticket } = await secondOf(username);
  const attempt = () => client.call('finishLogin', { body: { ticket, code: 'AAAA-BBBB' } });
  for (let wrong = 0; wrong < 5; wrong += 1) expect((await attempt()).status).toBe(401);
  expect((await client.call('finishLogin', { body: { ticket, code: codes[0]! } })).status).toBe(429);
  // All tests call from one address.
  expect((await byPasskey(key)).status).toBe(429);
  await cloud.advance(15 * MINUTE_MS + 1000);
  for (let wrong = 0; wrong < 5; wrong += 1)
    expect((await byPasskey(key, { unverified: true })).status).toBe(401);
  expect((await byPasskey(key)).status).toBe(429);
  await cloud.advance(15 * MINUTE_MS + 1000);
  expect((await byPasskey(key)).status).toBe(200);
});

it('required passkeys must be registered at the next login, before anything else', async () => {
  const { client, key } = await newKeeper();
  const { username, client: without } = await newAdmin(cloud);
  expect(codeOf(await without.call('requirePasskeys', { body: { demanded: true } }))).toBe('passkey_needed');
  await client.ok('requirePasskeys', { body: { demanded: true } });
  expect(await client.ok('listAdmins')).toMatchObject({ passkeys_required: true });
  expect(await isLoggedIn(without)).toBe(false);

  const limited = new Client(cloud.url);
  const entered = await limited.ok('login', { body: { username, password: PASSWORD } });
  expect(entered).toEqual({ message: 'Logged in', passkey_required: true });
  expect(await limited.ok('checkAuth')).toMatchObject({ passkey_required: true });
  for (const call of ['listBuyers', 'listAdmins', 'renewRecoveryCodes'] as const)
    expect(codeOf(await limited.call(call)), call).toBe('passkey_required');
  await register(limited);
  expect(await isLoggedIn(limited)).toBe(true);
  expect(await limited.ok('checkAuth')).toEqual({
    authenticated: true,
    username,
    role: 'admin',
    exports_personal_data: true,
  });

  const { passkeys } = await client.ok('listPasskeys');
  const last = { passkeyId: passkeys[0]?.passkey_id ?? '' };
  expect(codeOf(await client.call('removePasskey', { params: last }))).toBe('last_passkey');
  // Invited admins can also log in to register one.
  const { link } = await client.ok('inviteAdmin', { body: { username: 'invited' } });
  const invited = new Client(cloud.url);
  const token = link.split('#')[1] ?? '';
  const accepted = await invited.ok('acceptInvitation', { body: { token, password: PASSWORD } });
  expect(accepted.passkey_required).toBe(true);
  // The command line restores access for an admin who lost passkey and codes.
  await resetPassword(deps(), ADMIN.username, ADMIN.password);
  const back = new Client(cloud.url);
  expect(await back.ok('login', { body: ADMIN })).toMatchObject({ passkey_required: true });
  await register(back);
  expect(await isLoggedIn(back)).toBe(true);
  expect((await byPasskey(key)).status).toBe(200);
  await client.ok('requirePasskeys', { body: { demanded: false } });
  const { username: next } = await newAdmin(cloud);
  expect(await isLoggedIn(await logInAs(cloud, next))).toBe(true);
});
