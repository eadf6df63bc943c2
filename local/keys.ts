/** The application's keys outside the cloud, in a private file. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { PRIVATE_FILE } from '#local/private-files';
import { StartError, systemCode } from '#local/start-error';

const keysSchema = z.object({
  application: z.object({
    session: z.string(),
    encryption: z.array(z.object({ id: z.string(), key: z.string() })),
  }),
  siteGate: z.object({ publicKey: z.string(), privateKey: z.string() }),
});
export type LocalKeys = z.output<typeof keysSchema>;

/** @throws StartError for an unreadable file: new keys would make stored secrets unreadable */
export function ensureKeys(folder: string): LocalKeys {
  const file = join(folder, 'keys.json');
  try {
    return keysSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT')
      throw new StartError(`${file} cannot be read: restore it, or start afresh with another DATA_DIR.`);
  }
  const keys = makeKeys();
  writeFileSync(file, JSON.stringify(keys), { ...PRIVATE_FILE, flag: 'wx' });
  return keys;
}

const random = () => randomBytes(32).toString('base64');

function makeKeys(): LocalKeys {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    application: { session: random(), encryption: [{ id: '1', key: random() }] },
    siteGate: { publicKey, privateKey },
  };
}
