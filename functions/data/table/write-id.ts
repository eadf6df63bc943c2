import type { Runtime } from '#functions/platform/runtime';

/** By this ID a write recognises its own change after the SDK repeated it and the condition failed. */
export function newWriteId({ random }: Pick<Runtime, 'random'>): string {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(Math.floor(random() * 2 ** 48), 0, 6);
  return bytes.toString('base64url');
}
