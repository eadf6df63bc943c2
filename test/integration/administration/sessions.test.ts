import { generateKeyPairSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect } from 'vitest';
import { create as createAuth } from '#functions/api/auth/index';
import { ADMIN, addAdmin, Client, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

async function newAdmin(username: string): Promise<Client> {
  await addAdmin(cloud, username);
  const client = new Client(cloud.url);
  await client.logIn({ username, password: ADMIN.password });
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

  it('cannot be forged', async () => {
    const reply = await cloud.visitor.raw('GET', '/api/buyers', undefined, {
      cookie: 'session=eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiIsImp0aSI6IngifQ.',
    });
    expect(reply.status).toBe(401);
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
