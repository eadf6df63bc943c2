import { generateKeyPairSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { expect } from 'vitest';
import { create as createAuth } from '#functions/api/auth/index';
import { apiEvent } from '#test/harness/api-event';
import { ADMIN } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();

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
    const logIn = () => auth(apiEvent('login', { body: ADMIN }), { awsRequestId: 'r' } as Context);
    expect((await logIn()).statusCode).toBe(500);
    const answer = await logIn();
    expect(answer.statusCode).toBe(200);
    expect(answer.cookies).toHaveLength(5);
  } finally {
    secrets.restore();
  }
});
