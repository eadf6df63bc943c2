import { createHmac } from 'node:crypto';
import type { FingerprintsOf } from '#functions/data/leads/person-fingerprint-store';
import { phoneNumber } from '#functions/verification/offline';
import { saltedHash } from '#shared/rules/known-people';

/** 126 bits. */
const LENGTH = 21;

/** @param salted of `saltedHash` */
export const fingerprintOf = (key: Uint8Array, salted: string) =>
  createHmac('sha256', key).update(salted).digest('base64url').slice(0, LENGTH);

/** Browsers learn it. It makes tables of the hashes of another installation useless. */
export const personSalt = (key: Uint8Array) => fingerprintOf(key, 'salt');

export const createFingerprints =
  (personKey: () => Promise<Uint8Array>): FingerprintsOf =>
  async ({ telefon, email }) => {
    const [key, phone] = await Promise.all([personKey(), phoneNumber(telefon)]);
    const salt = personSalt(key);
    const salted = await Promise.all([
      ...(phone === undefined ? [] : [saltedHash(salt, `phone ${phone}`)]),
      saltedHash(salt, `email ${email.toLowerCase()}`),
    ]);
    return salted.map((text) => fingerprintOf(key, text));
  };
