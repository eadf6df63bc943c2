/** Wordings of consent, each stored once under its hash, and never changed. */
import { createHash } from 'node:crypto';
import type { DataContext } from '#functions/data/context';
import { newItem } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';

export const wordingHash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Repeatable. */
export async function keep({ table }: DataContext, hash: string, text: string, at: string): Promise<void> {
  await table.put(newItem(keys.consentText(hash), { text, created_at: at }));
}
