/** The limit on wrong passwords, and browsers with an earlier login. */
import type { Context } from 'aws-lambda';
import { expect } from 'vitest';
import { create as createAuth } from '#functions/api/auth/index';
import { apiEvent } from '#test/harness/api-event';
import { ADMIN, addAdmin } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const PASSWORD: string = ADMIN.password;
const cloud = cloudOfFile();
let auth: ReturnType<typeof createAuth>;
it.beforeAll(() => {
  auth = createAuth({ ...cloud.environment, PUBLIC_BASE_URL: 'https://leads.example.org' }, cloud.runtime);
});

let names = 0;
let addresses = 0;
async function newAdmin(): Promise<string> {
  names += 1;
  const username = `admin-${names}`;
  await addAdmin(cloud, username);
  return username;
}
/** Each from a new address. */
async function attempt(username: string, password: string, cookies: readonly string[] = []) {
  addresses += 1;
  const sourceIp = `2001:db8::${addresses.toString(16)}`;
  const event = apiEvent('login', { body: { username, password }, cookies, sourceIp });
  const answer = await auth(event, { awsRequestId: 'r' } as Context);
  return { status: answer.statusCode ?? 0, cookies: answer.cookies ?? [] };
}

/** The `name=value` of the cookie that a browser keeps after a login. */
async function cookiesOf(username: string): Promise<string[]> {
  const { status, cookies } = await attempt(username, PASSWORD);
  expect(status).toBe(200);
  return cookies.map((cookie) => cookie.replace(/;.*/, ''));
}
const deviceOf = (cookies: readonly string[]) => cookies.filter((cookie) => cookie.startsWith('device='));

it('recognizes a browser only by its cookie for this name', async () => {
  const [username, neighbour] = [await newAdmin(), await newAdmin()];
  const own = await cookiesOf(username);
  const session = own.find((cookie) => cookie.startsWith('session=')) ?? '';
  const [device = ''] = deviceOf(own);
  for (let guess = 0; guess < 5; guess += 1) await attempt(username, 'wrong');
  expect((await attempt(username, PASSWORD, [device])).status).toBe(200);
  for (const cookie of [
    ...deviceOf(await cookiesOf(neighbour)),
    session.replace('session=', 'device='),
    `${device.slice(0, -3)}AAA`,
    'device=',
    'device=eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiIsImp0aSI6IngifQ.',
  ])
    expect((await attempt(username, PASSWORD, [cookie])).status, cookie).toBe(429);
});

it('does not accept a device cookie as a session', async () => {
  const [device = ''] = deviceOf(await cookiesOf(await newAdmin()));
  const asSession = device.replace('device=', 'session=');
  const reply = await cloud.visitor.raw('GET', '/api/buyers', undefined, { cookie: asSession });
  expect(reply.status).toBe(401);
});
