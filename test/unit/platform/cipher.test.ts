import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encrypted } from '#functions/data/table/encrypted';
import { CipherError, createCipher } from '#functions/keys/cipher';
import { createKeyLoader } from '#functions/keys/keys';
import { createLogger } from '#functions/platform/logger';

const key = (id: string) => ({ id, key: randomBytes(32) });

describe('the cipher', () => {
  it('decrypts every encrypted text', () => {
    const cipher = createCipher([key('k1')]);
    for (const text of ['', 'geheim', 'ä€😀\u0000\n', 'x'.repeat(10_000)])
      expect(cipher.decrypt(cipher.encrypt(text))).toBe(text);
  });

  it('never encrypts a text to the same result twice, and reveals nothing of it', () => {
    const cipher = createCipher([key('k1')]);
    const first = cipher.encrypt('hunter2hunter2');
    expect(cipher.encrypt('hunter2hunter2')).not.toBe(first);
    expect(first).not.toContain('hunter2');
  });

  it('encrypts with a new first key, and still decrypts with the old one', () => {
    const old = key('k1');
    const before = createCipher([old]).encrypt('stored long ago');
    const rotated = createCipher([key('k2'), old]);
    expect(rotated.decrypt(before)).toBe('stored long ago');
    expect(rotated.encrypt('new')).toMatch(/^v1\.k2\./);
  });

  it('rejects a changed text, another key and an unknown key ID', () => {
    const cipher = createCipher([key('k1')]);
    const text = cipher.encrypt('secret');
    const [format, id, sealed] = text.split('.') as [string, string, string];
    const changed = Buffer.from(sealed, 'base64url');
    changed[changed.length - 1]! ^= 1;
    expect(() => cipher.decrypt(encrypted.parse(`${format}.${id}.${changed.toString('base64url')}`))).toThrow(
      CipherError,
    );
    expect(() => createCipher([key('k1')]).decrypt(text)).toThrow(CipherError);
    expect(() => createCipher([key('k2')]).decrypt(text)).toThrow('Unknown encryption key k1');
    expect(() => cipher.decrypt(encrypted.parse('plain text'))).toThrow('Not an encrypted text');
    expect(() => cipher.decrypt(encrypted.parse('v1.k1.AAAA'))).toThrow('Not an encrypted text');
  });

  it('does not start without a key or with a short one', () => {
    expect(() => createCipher([])).toThrow(CipherError);
    expect(() => createCipher([{ id: 'k1', key: randomBytes(16) }])).toThrow('32 bytes');
  });
});

describe('application keys', () => {
  const json = JSON.stringify({
    session: randomBytes(32).toString('base64'),
    encryption: [{ id: 'k1', key: randomBytes(32).toString('base64') }],
  });

  it('are read once', async () => {
    const load = createKeyLoader({ KEYS_JSON: json });
    const keys = await load();
    expect(await load()).toBe(keys);
    expect(keys.session).toHaveLength(32);
    expect(keys.cipher.decrypt(keys.cipher.encrypt('x'))).toBe('x');
  });

  it.each([['{}'], ['no json'], [json.replace('k1', 'k 1')]])(
    'are rejected in another format',
    async (text) => {
      await expect(createKeyLoader({ KEYS_JSON: text })()).rejects.toThrow('not in the expected form');
    },
  );

  it('log why a stored secret cannot be decrypted, without the secret', async () => {
    const lines: string[] = [];
    const log = createLogger((line) => lines.push(line));
    const { cipher } = await createKeyLoader({ KEYS_JSON: json }, log)();
    const [old] = [createCipher([key('k0')]).encrypt('top secret')];
    const stored = cipher.encrypt('top secret');
    expect(() => cipher.decrypt(old)).toThrow('Unknown encryption key k0');
    expect(() => cipher.decrypt(encrypted.parse(`${stored.slice(0, -4)}AAAA`))).toThrow('was changed');
    expect(lines).toEqual([
      expect.stringMatching(
        /"error","message":"stored secret cannot be read","error":"CipherError",.*"Unknown encryption key …"/,
      ),
      expect.stringMatching(/"error":"CipherError",.*"The encrypted text was changed"/),
    ]);
    expect(lines.join()).not.toContain('top secret');
  });

  it('must be configured', async () => {
    await expect(createKeyLoader({})()).rejects.toThrow('No secret is configured');
  });
});
