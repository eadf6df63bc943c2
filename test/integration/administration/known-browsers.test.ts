/** The limit on wrong passwords, and browsers with an earlier login. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { expect } from 'vitest';
import { create as createAuth } from '#functions/api/auth/index';
import { ADMIN, addAdmin, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

const PASSWORD: string = ADMIN.password;
let cloud: TestCloud;
let auth: ReturnType<typeof createAuth>;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
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
/** Attempts from a new address each, unless one is given. */
const newAddress = () => `2001:db8::${(++addresses).toString(16)}`;

interface Attempt {
  readonly cookies?: readonly string[];
  readonly address?: string;
}

async function attempt(username: string, password: string, { cookies, address }: Attempt = {}) {
  const event = {
    routeKey: 'POST /api/login',
    headers: { 'content-type': 'application/json' },
    cookies: [...(cookies ?? [])],
    body: JSON.stringify({ username, password }),
    requestContext: { http: { sourceIp: address ?? newAddress() } },
  } as unknown as APIGatewayProxyEventV2;
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
  expect((await attempt(username, PASSWORD, { cookies: [device] })).status).toBe(200);
  for (const cookie of [
    ...deviceOf(await cookiesOf(neighbour)),
    session.replace('session=', 'device='),
    `${device.slice(0, -3)}AAA`,
    'device=',
    'device=eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiIsImp0aSI6IngifQ.',
  ])
    expect((await attempt(username, PASSWORD, { cookies: [cookie] })).status, cookie).toBe(429);
});

it('does not accept a device cookie as a session', async () => {
  const [device = ''] = deviceOf(await cookiesOf(await newAdmin()));
  const asSession = device.replace('device=', 'session=');
  const reply = await cloud.visitor.raw('GET', '/api/buyers', undefined, { cookie: asSession });
  expect(reply.status).toBe(401);
});
