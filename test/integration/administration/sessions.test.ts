import { generateKeyPairSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { expect } from 'vitest';
import { create as createAuth } from '#functions/api/auth/index';
import { ADMIN, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

it('recovers after the signing key of the admin files was unreadable once', async () => {
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
