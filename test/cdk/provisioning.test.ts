/**
 * Custom resources during a deployment: repeating one changes nothing, and it never overwrites anything that it did not
 * create.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import {
  type CustomResourceEvent,
  customResourceEvent,
  PLACEHOLDER,
  type SecretStore,
} from '#cdk/provisioning/custom-resource';
import { makeFirstAdmin } from '#cdk/provisioning/make-first-admin';
import { makeKeys } from '#cdk/provisioning/make-keys';
import { makePair } from '#cdk/provisioning/make-pair';
import { unseal } from '#cdk/provisioning/sealed';
import { createSecretStore } from '#cdk/provisioning/secret-store';
import * as sessionStore from '#functions/data/administration/session-store';
import { requireTableFormat, TABLE_FORMAT, TableFormatError } from '#functions/data/table/format';
import { keys as tableKeys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { passwordMatches } from '#functions/domain/administration/admins';
import { signAdminCookies } from '#functions/http/site-gate/sign';
import { verifySignedCookies } from '#functions/http/site-gate/verify';
import { createKeyLoader } from '#functions/keys/keys';
import { systemRuntime } from '#functions/platform/runtime';
import { memoryTable } from '#test/harness/memory-table';

/** A secret as CloudFormation fills it: the template with a random value under the key. */
const generated = () => JSON.stringify({ ...JSON.parse(PLACEHOLDER.template), [PLACEHOLDER.key]: 'x7Kp' });

function vault(
  values: Record<string, string>,
): SecretStore & { values: Record<string, string>; writes: number } {
  return {
    values,
    writes: 0,
    async read(arn) {
      return values[arn]!;
    },
    async write(arn, value) {
      values[arn] = value;
      this.writes += 1;
    },
  };
}

type Type = 'Create' | 'Update' | 'Delete';
const ask = (RequestType: Type, ResourceProperties: Record<string, unknown>, PhysicalResourceId?: string) =>
  customResourceEvent.parse({
    RequestType,
    ResourceProperties: { ServiceToken: 'arn', ...ResourceProperties },
    ...(PhysicalResourceId !== undefined && { PhysicalResourceId }),
  });

describe('the key pair of the site gate', () => {
  it('is created once: the private key goes into the secret, the public key to CloudFormation', async () => {
    const secrets = vault({ s: generated() });
    const made = await makePair(ask('Create', { secretArn: 's' }), secrets);
    const privateKey = createPrivateKey(secrets.values.s!);
    expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(made.Data).toEqual({
      publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }),
    });
    expect(JSON.stringify(made)).not.toContain('PRIVATE');

    const again = await makePair(ask('Update', { secretArn: 's' }, made.PhysicalResourceId), secrets);
    expect(again).toEqual(made);
    expect(secrets.writes).toBe(1);
  });

  it('signs cookies that CloudFront verifies with the public key', async () => {
    const secrets = vault({ s: generated() });
    const made = await makePair(ask('Create', { secretArn: 's' }), secrets);
    const now = new Date('2026-03-02T08:00:00Z');
    const cookies = signAdminCookies(
      { keyPairId: 'K1', privateKey: secrets.values.s! },
      'https://leads.example.com',
      now,
    );
    expect(
      verifySignedCookies(
        { K1: made.Data!.publicKey! },
        cookies,
        'https://leads.example.com/admin-assets/a.js',
        now,
      ),
    ).toBe('granted');
  });

  it('rejects a secret with other content, without showing it', async () => {
    const secrets = vault({ s: 'somebody’s note' });
    await expect(makePair(ask('Update', { secretArn: 's' }), secrets)).rejects.toThrow(
      /holds no private key/,
    );
    await expect(makePair(ask('Update', { secretArn: 's' }), secrets)).rejects.not.toThrow(/note/);
    expect(secrets.values.s).toBe('somebody’s note');
  });

  it('does nothing on deletion', async () => {
    const secrets = vault({ s: 'anything' });
    expect(await makePair(ask('Delete', { secretArn: 's' }, 'p'), secrets)).toEqual({
      PhysicalResourceId: 'p',
    });
    expect(secrets.writes).toBe(0);
  });
});

const load = (json: string) => createKeyLoader({ KEYS_JSON: json })();

/** For a stage without a backup, which needs no table. */
const keysMade = (event: CustomResourceEvent, secrets: SecretStore) =>
  makeKeys(event, { secrets, table: () => memoryTable() });

describe('the application’s keys', () => {
  it('are copied into the table with every generation, encrypted for the private key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const secrets = vault({ s: generated() });
    const table = memoryTable();
    const copy = { tableName: 't', publicKey };
    for (const generation of ['1', '2', '2']) {
      await makeKeys(ask('Update', { secretArn: 's', generation, copy }), { secrets, table: () => table });
      const stored = await table.get(tableKeys.keysCopy());
      expect(stored).toMatchObject({ generation: Number(generation) });
      expect(await unseal(String(stored?.sealed), privateKey)).toBe(secrets.values.s);
      for (const { key } of JSON.parse(secrets.values.s!).encryption)
        expect(String(stored?.sealed)).not.toContain(key);
    }
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = String(other.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const sealed = String((await table.get(tableKeys.keysCopy()))?.sealed);
    await expect(unseal(sealed, pem)).rejects.toThrow();
  });

  it('are created once, in the functions’ format', async () => {
    const secrets = vault({ s: generated() });
    expect(await keysMade(ask('Create', { secretArn: 's', generation: '1' }), secrets)).toEqual({
      PhysicalResourceId: 's',
      Data: { generation: '1' },
    });
    const before = secrets.values.s!;
    await keysMade(ask('Update', { secretArn: 's', generation: '1' }), secrets);
    expect(secrets.values.s).toBe(before);
    const keys = await load(before);
    expect(keys.session).toHaveLength(32);
    expect(keys.cipher.decrypt(keys.cipher.encrypt('geheim'))).toBe('geheim');
  });

  it('are rotated by the next generation: sessions end, and old secrets can be decrypted', async () => {
    const secrets = vault({ s: generated() });
    await keysMade(ask('Create', { secretArn: 's', generation: '1' }), secrets);
    const old = await load(secrets.values.s!);
    const stored = old.cipher.encrypt('smtp password');

    await keysMade(ask('Update', { secretArn: 's', generation: '2' }), secrets);
    const rotated = await load(secrets.values.s!);
    expect(rotated.cipher.decrypt(stored)).toBe('smtp password');
    expect(Buffer.from(rotated.session).equals(Buffer.from(old.session))).toBe(false);
    expect(() => old.cipher.decrypt(rotated.cipher.encrypt('new'))).toThrow(/Unknown encryption key g2/);

    // A lower generation, as in a rollback of the deployment, keeps the newer keys.
    await keysMade(ask('Update', { secretArn: 's', generation: '1' }), secrets);
    expect((await load(secrets.values.s!)).cipher.decrypt(rotated.cipher.encrypt('new'))).toBe('new');
  });

  it('are not replaced if they are unreadable', async () => {
    for (const content of ['', 'not json', '{"session":"AAAA"}', '{}']) {
      const secrets = vault({ s: content });
      await expect(keysMade(ask('Update', { secretArn: 's', generation: '2' }), secrets)).rejects.toThrow(
        /holds no key file/,
      );
      expect(secrets.values.s).toBe(content);
    }
  });
});

describe('the first admin', () => {
  const login = JSON.stringify({ username: 'admin', password: 'a-generated-password' });
  const deps = (table: Table, secret = login) => ({
    secrets: vault({ s: secret }),
    openTable: () => table,
    runtime: { ...systemRuntime, log: { info: () => {}, warn: () => {}, error: () => {} } },
  });
  const properties = { secretArn: 's', tableName: 't' };

  it('can log in with the generated password', async () => {
    const table = memoryTable();
    await makeFirstAdmin(ask('Create', properties), deps(table));
    const admin = await sessionStore.admin({ table }, 'admin');
    expect(await passwordMatches(systemRuntime, 'a-generated-password', admin!.password_hash)).toBe(true);
  });

  it('is not created again by a second deployment, which does not reset a changed password', async () => {
    const table = memoryTable();
    await makeFirstAdmin(ask('Create', properties), deps(table));
    await table.update({
      key: tableKeys.admin('admin'),
      update: 'SET password_hash = :changed',
      values: { ':changed': 'changed' },
    });
    await makeFirstAdmin(ask('Update', properties), deps(table));
    expect((await sessionStore.admin({ table }, 'admin'))!.password_hash).toBe('changed');
  });

  it('is not created if other admins exist, and is kept when the stack is deleted', async () => {
    const table = memoryTable();
    await requireTableFormat(table);
    await sessionStore.addAdmin(
      { table },
      { username: 'eva', password_hash: 'x', created_at: '2026-01-01T00:00:00.000Z' },
    );
    await makeFirstAdmin(ask('Create', properties), deps(table));
    await makeFirstAdmin(ask('Delete', properties, 'p'), deps(table));
    expect((await sessionStore.admins({ table })).map(({ username }) => username)).toEqual(['eva']);
  });

  it('is not created in a table of another format; the deployment fails', async () => {
    const table = memoryTable();
    await table.put({ put: { ...tableKeys.format(), version: TABLE_FORMAT + 1 } });
    await expect(makeFirstAdmin(ask('Update', properties), deps(table))).rejects.toThrow(TableFormatError);
    expect(await sessionStore.admins({ table })).toEqual([]);
  });

  it('is not created from a secret without a valid password', async () => {
    const table = memoryTable();
    await expect(
      makeFirstAdmin(ask('Create', properties), deps(table, '{"username":"admin","password":"short"}')),
    ).rejects.toThrow();
    expect(await sessionStore.admins({ table })).toEqual([]);
  });
});

it('the secret store reads and writes the given secret', async () => {
  const client = mockClient(SecretsManagerClient);
  client.on(GetSecretValueCommand, { SecretId: 'arn:1' }).resolves({ SecretString: 'value' });
  client.on(PutSecretValueCommand).resolves({});
  const store = createSecretStore(new SecretsManagerClient({ region: 'eu-central-1' }));
  expect(await store.read('arn:1')).toBe('value');
  await store.write('arn:1', 'next');
  expect(client.commandCalls(PutSecretValueCommand)[0]?.args[0].input).toEqual({
    SecretId: 'arn:1',
    SecretString: 'next',
  });
});
