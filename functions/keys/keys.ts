/** One key signs sessions, the others encrypt stored secrets. */

import { hkdfSync } from 'node:crypto';
import * as z from 'zod/mini';
import { type Cipher, createCipher } from '#functions/keys/cipher';
import { createProofSigner, type ProofSigner } from '#functions/keys/proof-key';
import type { keyEnvironment } from '#functions/platform/environment';
import { errorFields, type Logger } from '#functions/platform/logger';
import { memoize } from '#functions/platform/memoize';
import { parseJson } from '#functions/platform/parse-json';

/** The JSON of the secret. Keys are base64; encryption keys have 32 bytes. */
const keyFile = z.object({
  session: z.base64(),
  encryption: z
    .array(z.object({ id: z.string().check(z.regex(/^[A-Za-z0-9_-]+$/)), key: z.base64() }))
    .check(z.minLength(1)),
});

const DERIVED_KEY_BYTES = 32;
const PROOF_KEY_SEED_BYTES = 40;

export interface ApplicationKeys {
  readonly session: Uint8Array;
  /** HMAC; derived from the session key, like the next ones. */
  readonly device: Uint8Array;
  readonly person: Uint8Array;
  /** Makes link codes, and signs the cookies of devices on which one was entered. */
  readonly link: Uint8Array;
  readonly unsubscription: Uint8Array;
  readonly proofSigner: () => ProofSigner;
  /** Signs the links by which people withdraw or confirm their consent. */
  readonly consentLink: Uint8Array;
  readonly cipher: Cipher;
}

/** After a failed read the next call reads again. */
export type KeyLoader = () => Promise<ApplicationKeys>;

/** @param log gets why a stored secret cannot be decrypted @throws Error (from the loader), never with a key in it */
export function createKeyLoader(environment: z.output<typeof keyEnvironment>, log?: Logger): KeyLoader {
  return memoize(() => load(environment, log));
}

async function load(environment: z.output<typeof keyEnvironment>, log?: Logger): Promise<ApplicationKeys> {
  const json = environment.KEYS_JSON ?? (await readSecretText(environment.KEYS_ARN));
  const file = keyFile.safeParse(parseJson(json));
  if (!file.success) throw new Error('The application keys are not in the expected form');
  const session = Buffer.from(file.data.session, 'base64');
  const encryption = file.data.encryption.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') }));
  const derived = (use: string, bytes = DERIVED_KEY_BYTES) =>
    new Uint8Array(hkdfSync('sha256', session, '', use, bytes));
  return {
    session,
    device: derived('device cookie'),
    person: derived('mark of a person'),
    link: derived('device of a link'),
    unsubscription: derived('news of a buyer'),
    proofSigner: () => createProofSigner(derived('proof of consent', PROOF_KEY_SEED_BYTES)),
    consentLink: derived('consent of a person'),
    cipher: withLog(createCipher(encryption), log),
  };
}

/** Callers answer that the secret must be entered again; only the log distinguishes old keys from a damaged text. */
function withLog(cipher: Cipher, log: Logger | undefined): Cipher {
  return {
    encrypt: (text) => cipher.encrypt(text),
    decrypt(text) {
      try {
        return cipher.decrypt(text);
      } catch (error) {
        log?.error('stored secret cannot be read', errorFields(error));
        throw error;
      }
    },
  };
}

/** @throws Error if no ARN is given or the secret cannot be read */
export async function readSecretText(arn: string | undefined): Promise<string> {
  if (arn === undefined) throw new Error('No secret is configured (KEYS_JSON, KEYS_ARN or the like)');
  // On demand: called once per process, and not at all if the keys are environment variables.
  const { readSecret } = await import('#functions/keys/secrets-manager');
  return readSecret(arn);
}
