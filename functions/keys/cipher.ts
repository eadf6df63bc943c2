/** AES-256-GCM, `v1.{key id}.{base64url of nonce, tag and ciphertext}`. To rotate, add a new key at the front. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Encrypted, encrypted } from '#functions/data/table/encrypted';

const FORMAT = 'v1';
/** Bytes, as NIST SP 800-38D recommends for GCM. */
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface EncryptionKey {
  /** Letters, digits, `_` and `-`; part of every text that the key encrypted. */
  readonly id: string;
  readonly key: Uint8Array;
}

export interface Cipher {
  encrypt(text: string): Encrypted;
  /** @throws CipherError when the text was not encrypted with a known key, or was changed afterwards */
  decrypt(text: Encrypted): string;
}

/** The message may contain the key's ID, never the text. */
export class CipherError extends Error {
  override readonly name = 'CipherError';
}

export function createCipher(encryptionKeys: readonly EncryptionKey[]): Cipher {
  const current = encryptionKeys[0];
  if (current === undefined) throw new CipherError('No encryption key');
  for (const { id, key } of encryptionKeys)
    if (key.length !== KEY_BYTES) throw new CipherError(`Encryption key ${id} must have ${KEY_BYTES} bytes`);
  const byId = new Map(encryptionKeys.map(({ id, key }) => [id, key]));

  return {
    encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const header = `${FORMAT}.${current.id}`;
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(header));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
      return encrypted.parse(`${header}.${sealed}`);
    },
    decrypt(text) {
      const [format, id, sealed] = text.split('.');
      const key = id === undefined ? undefined : byId.get(id);
      if (format !== FORMAT || sealed === undefined) throw new CipherError('Not an encrypted text');
      if (key === undefined) throw new CipherError(`Unknown encryption key ${id}`);
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new CipherError('Not an encrypted text');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(`${format}.${id}`));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new CipherError('The encrypted text was changed');
      }
    },
  };
}
