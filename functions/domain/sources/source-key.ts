/** Keys of sources: `lds_{source}{slot}_{256 random bits}{CRC-32}`, in hexadecimal. */
import { hasChecksum, randomDigits, withChecksum } from '#functions/domain/common/checked-key';
import { secretHash } from '#functions/domain/common/secret-hash';
import type { Runtime } from '#functions/platform/runtime';
import { KEY_SLOTS, type KeySlot } from '#shared/rules/constants';

const KEY = /^lds_(\d{1,9})([ab])_[0-9a-f]{72}$/;
const SHOWN_DIGITS = 6;

export function newSourceKey(runtime: Pick<Runtime, 'newToken'>, source: number, slot: KeySlot): string {
  return withChecksum(`lds_${source}${slot}_${randomDigits(runtime)}`);
}

export function readSourceKey(text: string): { source: number; slot: KeySlot; hash: string } | undefined {
  const [, source, letter] = KEY.exec(text) ?? [];
  const slot = KEY_SLOTS.find((one) => one === letter);
  if (slot === undefined || !hasChecksum(text)) return undefined;
  return { source: Number(source), slot, hash: secretHash(text) };
}

export const prefixOf = (key: string) => key.slice(0, key.indexOf('_', 4) + 1 + SHOWN_DIGITS);
