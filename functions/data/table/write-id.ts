import { randomBytes } from 'node:crypto';

/**
 * A random id that a write leaves on an item, so that it recognises its own change: the SDK repeats a write whose answer
 * was lost, and then the condition fails because of what the first one wrote.
 */
export function newWriteId(): string {
  return randomBytes(6).toString('base64url');
}
