/** Wordings of consent, each stored once under its hash, and never changed. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { newItem, read } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';

const wordingSchema = z.object({ text: z.string() });

export const wordingHash = (text: string): string => createHash('sha256').update(text).digest('base64url');

export async function get(context: DataContext, hash: string): Promise<string | undefined> {
  return (await read(context, keys.consentText(hash), wordingSchema))?.text;
}

const MAX_KNOWN = 200;
/** Those that this process knows to be stored, so that a source that sends its wording with every lead costs no further write. */
const known = new WeakMap<DataContext['table'], Set<string>>();

/** Repeatable. */
export async function keep({ table }: DataContext, hash: string, text: string, at: string): Promise<void> {
  const stored = known.get(table) ?? new Set();
  if (stored.has(hash)) return;
  await table.put(newItem(keys.consentText(hash), { text, created_at: at }));
  if (stored.size >= MAX_KNOWN) stored.clear();
  known.set(table, stored.add(hash));
}
