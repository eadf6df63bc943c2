import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { apiEnvironment, createApiContext } from '#functions/http/context';
import { systemRuntime } from '#functions/platform/runtime';

const origins = async (changes: object) => {
  const environment = apiEnvironment.parse({
    TABLE_NAME: 'leads',
    PUBLIC_BASE_URL: 'https://leads.example.com',
    ...changes,
  });
  const context = createApiContext(environment, systemRuntime);
  expect(context).toMatchObject({ publicBaseUrl: 'https://leads.example.com', runtime: systemRuntime });
  return context.originSecrets();
};

it('has the person key and the cipher from the application keys', async () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const environment = apiEnvironment.parse({
    TABLE_NAME: 'leads',
    PUBLIC_BASE_URL: 'https://leads.example.com',
    KEYS_JSON: JSON.stringify({ session: key, encryption: [{ id: '1', key }] }),
  });
  const { keys, personKey, cipher } = createApiContext(environment, systemRuntime);
  const { person, session } = await keys();
  expect(session).toEqual(Buffer.alloc(32, 7));
  expect(await personKey()).toBe(person);
  const stored = await cipher();
  expect(stored.decrypt(stored.encrypt('secret'))).toBe('secret');
});

it('accepts configured or stored origin secrets, or none', async () => {
  const manager = mockClient(SecretsManagerClient);
  manager.on(GetSecretValueCommand).callsFake(({ SecretId }: { SecretId: string }) => ({
    SecretString: `content of ${SecretId}`,
  }));
  expect(await origins({})).toEqual([]);
  expect(await origins({ ORIGIN_SECRET: 'one' })).toEqual(['one']);
  expect(await origins({ ORIGIN_SECRET: 'one', ORIGIN_SECRET_ARN: 'arn:a,arn:b' })).toEqual([
    'content of arn:a',
    'content of arn:b',
  ]);
  manager.restore();
});
