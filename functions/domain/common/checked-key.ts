import { crc32 } from 'node:zlib';
import type { Runtime } from '#functions/platform/runtime';

/** 256 random bits in hexadecimal. */
export const randomDigits = ({ newToken }: Pick<Runtime, 'newToken'>): string =>
  Buffer.from(newToken(), 'base64url').toString('hex');

/** The last eight digits of a key: secret scanners recognise a leaked key by them. */
export const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');
