import { randomBytes } from 'node:crypto';

/**
 * What a write leaves on an item so that it is known again. The SDK repeats a write whose answer was lost, and its
 * condition then fails on what it wrote itself.
 */
export function newWriteId(): string {
  return randomBytes(6).toString('base64url');
}
