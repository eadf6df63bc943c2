import { createHmac } from 'node:crypto';
import type { FingerprintsOf } from '#functions/data/leads/person-fingerprint-store';
import { phoneNumber } from '#functions/verification/offline';

/** 126 bits. */
const LENGTH = 21;

export const createFingerprints =
  (personKey: () => Promise<Uint8Array>): FingerprintsOf =>
  async ({ telefon, email }) => {
    const [key, phone] = await Promise.all([personKey(), phoneNumber(telefon)]);
    const known = [...(phone === undefined ? [] : [`phone ${phone}`]), `email ${email.toLowerCase()}`];
    return known.map((text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, LENGTH));
  };
