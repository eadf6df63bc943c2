import { generateKeyPairSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect } from 'vitest';
import { create as createAuth } from '#functions/api/auth/index';
import { removeAdmin, resetPassword } from '#functions/domain/administration/admin-access';
import { addAdmin } from '#functions/domain/administration/admins';
import { ADMIN, Client, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

const deps = () => ({
  table: cloud.table,
  runtime: cloud.runtime,
});
async function newAdmin(username: string): Promise<Client> {
  await addAdmin(deps(), username, 'first password');
  const client = new Client(cloud.url);
  await client.logIn({ username, password: 'first password' });
  return client;
}
const status = async (client: Client) => (await client.call('listBuyers')).status;

describe('session', () => {
  it('ends everywhere when its admin logs out', async () => {
    const client = await newAdmin('retired');
    const copy = client.cookies.get('session') ?? '';
    expect(await status(client)).toBe(200);
    await client.ok('logout');
    const reply = await cloud.visitor.raw('GET', '/api/buyers', undefined, { cookie: `session=${copy}` });
    expect(reply.status).toBe(401);
  });

  it('ends when the password is changed and when the admin is removed', async () => {
    const [changed, removed] = [await newAdmin('changed'), await newAdmin('removed')];
    await resetPassword(deps(), 'changed', 'second password');
    expect(await status(changed)).toBe(401);
    expect(await changed.ok('checkAuth')).toEqual({ authenticated: false });
    await removeAdmin(deps(), undefined, 'removed');
    expect(await status(removed)).toBe(401);
    await changed.logIn({ username: 'changed', password: 'second password' });
    expect(await status(changed)).toBe(200);
  });

  it('ends after twelve hours', async () => {
    const own = await startTestCloud();
    try {
      expect(await status(own.admin)).toBe(200);
      await own.advance(12 * 3_600_000 + 1000);
      expect(await status(own.admin)).toBe(401);
    } finally {
      await own.stop();
    }
  });

  it('is a cookie of twelve hours that scripts and other sites cannot use', async () => {
    const reply = await new Client(cloud.url).call('login', { body: ADMIN });
    const session = reply.headers.getSetCookie().find((cookie) => cookie.startsWith('session='));
    // Without `Secure`, because this product runs at http://.
    expect(session).toMatch(/^session=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  });

  it('cannot be forged', async () => {
    const reply = await cloud.visitor.raw('GET', '/api/buyers', undefined, {
      cookie: 'session=eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiIsImp0aSI6IngifQ.',
    });
    expect(reply.status).toBe(401);
  });
});

describe('five wrong passwords', () => {
  it('lock the name for a while and say for how long', async () => {
    await newAdmin('locked');
    const attempt = (password: string) =>
      new Client(cloud.url).call('login', { body: { username: 'locked', password } });
    for (let wrong = 0; wrong < 5; wrong += 1) expect((await attempt('wrong')).status).toBe(401);
    const locked = await attempt('first password');
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
    await cloud.advance(15 * 60_000 + 1000);
    expect((await attempt('first password')).status).toBe(200);
  });

  it('are counted exactly however many arrive at the same moment', async () => {
    await newAdmin('stormed');
    const guess = () =>
      new Client(cloud.url).call('login', { body: { username: 'stormed', password: 'wrong' } });
    const statuses = (await Promise.all(Array.from({ length: 20 }, guess))).map(({ status }) => status);
    const looked = statuses.filter((it) => it === 401).length;
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThanOrEqual(5);
    expect(statuses.filter((it) => it === 429)).toHaveLength(statuses.length - looked);
  });
});

it('logs in again after the signing key of the admin files could once not be read', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const secrets = mockClient(SecretsManagerClient);
  try {
    secrets.on(GetSecretValueCommand).rejectsOnce('busy').resolves({ SecretString: privateKey });
    const auth = createAuth(
      {
        ...cloud.environment,
        CLOUDFRONT_KEY_PAIR_ID: 'K1',
        CLOUDFRONT_KEY_ARN: 'arn',
        CLOUDFRONT_PRIVATE_KEY: undefined,
      },
      cloud.runtime,
    );
    const event = {
      routeKey: 'POST /api/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
      requestContext: { http: { sourceIp: '198.51.100.7' } },
    } as unknown as APIGatewayProxyEventV2;
    const logIn = () => auth(event, { awsRequestId: 'r' } as Context);
    expect((await logIn()).statusCode).toBe(500);
    const answer = await logIn();
    expect(answer.statusCode).toBe(200);
    expect(answer.cookies).toHaveLength(5);
  } finally {
    secrets.restore();
  }
});
