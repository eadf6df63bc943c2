import { createHash, createHmac } from 'node:crypto';
import type { FingerprintsOf } from '#functions/data/leads/person-fingerprint-store';
import { phoneNumber } from '#functions/verification/offline';
import { saltedText } from '#shared/rules/known-people';

/** 126 bits. */
const LENGTH = 21;

/** @param salted a hash as browsers send it */
export const fingerprintOf = (key: Uint8Array, salted: string) =>
  createHmac('sha256', key).update(salted).digest('base64url').slice(0, LENGTH);

/** Browsers learn it. It makes tables of the hashes of another installation useless. */
export const personSalt = (key: Uint8Array) => fingerprintOf(key, 'salt');

export const createFingerprints =
  (personKey: () => Promise<Uint8Array>): FingerprintsOf =>
  async ({ telefon, email }) => {
    const [key, phone] = await Promise.all([personKey(), phoneNumber(telefon)]);
    const salt = personSalt(key);
    const known = [
      ...(phone === undefined ? [] : [saltedText(salt, 'phone', phone)]),
      saltedText(salt, 'email', email.toLowerCase()),
    ];
    return known.map((text) => fingerprintOf(key, createHash('sha256').update(text).digest('base64url')));
  };
