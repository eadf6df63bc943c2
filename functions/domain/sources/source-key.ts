/**
 * Keys of sources: `lds_{source}{slot}_{256 random bits}{CRC-32}`, in hexadecimal digits. The prefix and the checksum let
 * scanners of secrets find a leaked one for sure. A key is as random as can be, so one SHA-256 of it is all that is stored.
 */
import { crc32 } from 'node:zlib';
import { secretHash } from '#functions/domain/common/secret-hash';
import type { Runtime } from '#functions/platform/runtime';
import { KEY_SLOTS, type KeySlot } from '#shared/rules/constants';

const KEY = /^(lds_(\d{1,9})([ab])_[0-9a-f]{64})([0-9a-f]{8})$/;
/** Characters that are kept to tell keys apart, 24 of their bits. */
const SHOWN_DIGITS = 6;

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0');

/** @returns a new key, which nobody can ask for again */
export function newSourceKey({ newToken }: Pick<Runtime, 'newToken'>, source: number, slot: KeySlot): string {
  const body = `lds_${source}${slot}_${Buffer.from(newToken(), 'base64url').toString('hex')}`;
  return body + checksum(body);
}

/** Whose key it is; undefined for a text that is none. */
export function readSourceKey(text: string): { source: number; slot: KeySlot; hash: string } | undefined {
  const [, body = '', source, letter, sum] = KEY.exec(text) ?? [];
  const slot = KEY_SLOTS.find((one) => one === letter);
  if (slot === undefined || checksum(body) !== sum) return undefined;
  return { source: Number(source), slot, hash: secretHash(text) };
}

/** What is shown of a key. */
export const prefixOf = (key: string) => key.slice(0, key.indexOf('_', 4) + 1 + SHOWN_DIGITS);
