import { expect } from 'vitest';
import { SECRET_MASK } from '#shared/rules/constants';
import { actionsOn, codeOf, logInAs, newAdmin } from '#test/harness/admins';
import { ADMIN, Client, openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

const OPERATIONS = { role: 'operations' } as const;

it('existing admins have the role admin', async ({ cloud }) => {
  const { username } = await newAdmin(cloud);
  const { admins } = await cloud.admin.ok('listAdmins');
  expect(admins.find((admin) => admin.username === username)).toMatchObject({
    role: 'admin',
    exports_personal_data: true,
  });
});

it('a changed role applies at the next call of an open session', async ({ cloud }) => {
  const { username, client } = await newAdmin(cloud);
  await client.ok('getRetention');
  await cloud.admin.ok('changeRole', { params: { username }, body: OPERATIONS });
  const refused = await client.call('getRetention');
  expect([refused.status, codeOf(refused)]).toEqual([403, 'role_required']);
  expect(await client.ok('checkAuth')).toMatchObject({ authenticated: true, role: 'operations' });
  await cloud.admin.ok('changeRole', { params: { username }, body: { role: 'admin' } });
  await client.ok('getRetention');
  const actions = await actionsOn(cloud, username);
  expect(actions.slice(-2)).toEqual(['admin role_changed', 'admin role_changed']);
});

it('an invited admin gets the role of the invitation', async ({ cloud }) => {
  const body = { username: 'guest', role: 'viewer' } as const;
  const { link } = await cloud.admin.ok('inviteAdmin', { body });
  const guest = new Client(cloud.url);
  await guest.ok('acceptInvitation', { body: { token: link.split('#')[1]!, password: ADMIN.password } });
  expect(await guest.ok('checkAuth')).toMatchObject({ role: 'viewer', exports_personal_data: false });
  expect((await guest.call('createBuyer', { body: {} as never })).status).toBe(403);
});

it('the links that an admin made end with the role admin', async ({ cloud }) => {
  const { username, client } = await newAdmin(cloud);
  const { link } = await client.ok('inviteAdmin', { body: { username: 'second-name' } });
  await cloud.admin.ok('changeRole', { params: { username }, body: OPERATIONS });
  const body = { token: link.split('#')[1]!, password: ADMIN.password };
  expect((await cloud.visitor.call('acceptInvitation', { body })).status).toBe(404);
});

it('sessions of the own account are open to every role, those of others are not', async ({ cloud }) => {
  const { username } = await newAdmin(cloud);
  await cloud.admin.ok('changeRole', { params: { username }, body: { role: 'viewer' } });
  const client = await logInAs(cloud, username);
  expect((await client.ok('listSessions', { params: { username } })).sessions.length).toBeGreaterThan(0);
  expect((await client.call('listSessions', { params: { username: ADMIN.username } })).status).toBe(403);
});

it('a viewer gets the links of buyers, whose pages have exports, only with the right to export', async ({
  cloud,
}) => {
  const { excel_link } = await openOrder(cloud.admin, { buyer_id: 'nordwert' }, 10);
  const { username, client } = await newAdmin(cloud);
  const params = { username };
  const seen = async () =>
    (await client.ok('listBuyerOrders', { params: { buyerId: 'nordwert' } })).orders.map(
      (order) => order.excel_link,
    );
  expect(await seen()).toEqual([excel_link]);
  await cloud.admin.ok('changeRole', { params, body: { role: 'viewer', exports_personal_data: true } });
  expect(await seen()).toEqual([excel_link]);
  await cloud.admin.ok('changeRole', { params, body: { role: 'viewer' } });
  expect(await seen()).toEqual([SECRET_MASK]);
});

/** The tests of a file share their admins. */
async function demoteOthers(cloud: TestCloud, kept: readonly string[]): Promise<void> {
  const { admins } = await cloud.admin.ok('listAdmins');
  for (const { username } of admins)
    if (!kept.includes(username))
      await cloud.admin.ok('changeRole', { params: { username }, body: OPERATIONS });
}

it('the last admin keeps the role, and is not removed while others have less', async ({ cloud }) => {
  await newAdmin(cloud);
  await demoteOthers(cloud, [ADMIN.username]);
  const own = { username: ADMIN.username };
  expect(codeOf(await cloud.admin.call('changeRole', { params: own, body: OPERATIONS }))).toBe('last_admin');
  expect(codeOf(await cloud.admin.call('removeAdmin', { params: own }))).toBe('last_admin');
});

it('of two admins who take the role from each other at once, one keeps it', async ({ cloud }) => {
  const { username, client } = await newAdmin(cloud);
  await demoteOthers(cloud, [ADMIN.username, username]);
  await Promise.all([
    client.call('changeRole', { params: { username: ADMIN.username }, body: OPERATIONS }),
    cloud.admin.call('changeRole', { params: { username }, body: OPERATIONS }),
  ]);
  const { admins } = await cloud.admin.ok('listAdmins');
  expect(admins.filter(({ role }) => role === 'admin')).toHaveLength(1);
});
