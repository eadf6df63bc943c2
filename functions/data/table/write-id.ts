import type { Runtime } from '#functions/platform/runtime';

/**
 * A random id that a write leaves on an item, so that it recognises its own change: the SDK repeats a write whose answer
 * was lost, and then the condition fails because of what the first one wrote.
 */
export function newWriteId({ random }: Pick<Runtime, 'random'>): string {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(Math.floor(random() * 2 ** 48), 0, 6);
  return bytes.toString('base64url');
}
