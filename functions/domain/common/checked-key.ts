/** Keys end in a CRC-32 of eight hexadecimal digits, so that secret scanners find a leaked key reliably. */
import { crc32 } from 'node:zlib';
import type { Runtime } from '#functions/platform/runtime';

const DIGITS = 8;

/** 256 random bits in hexadecimal: a key that is random enough to be stored as a plain SHA-256. */
export const randomDigits = ({ newToken }: Pick<Runtime, 'newToken'>): string =>
  Buffer.from(newToken(), 'base64url').toString('hex');

export const withChecksum = (body: string): string => body + crc32(body).toString(16).padStart(DIGITS, '0');

export const hasChecksum = (key: string): boolean => withChecksum(key.slice(0, -DIGITS)) === key;
