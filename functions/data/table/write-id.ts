import type { Runtime } from '#functions/platform/runtime';

/**
 * A write leaves this ID on an item to recognise its own change: the SDK repeats a write whose answer was lost, and
 * then the condition fails because of the first one.
 */
export function newWriteId({ random }: Pick<Runtime, 'random'>): string {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(Math.floor(random() * 2 ** 48), 0, 6);
  return bytes.toString('base64url');
}
