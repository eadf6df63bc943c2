import { type ApiKey, apiKeySchema } from '#functions/data/administration/admin';
import type { DataContext } from '#functions/data/context';
import { itemRemoved, newItem, read, readAll } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Delete, Put } from '#functions/data/table/table';

/** In the order in which they were created. */
export async function all(context: DataContext): Promise<ApiKey[]> {
  const found = await readAll(context, { partition: keys.apiKeys() }, apiKeySchema);
  return found.sort((one, other) => one.id.localeCompare(other.id));
}
export const byHash = (context: DataContext, hash: string): Promise<ApiKey | undefined> =>
  read(context, keys.apiKey(hash), apiKeySchema);
export const created = (key: ApiKey): Put => newItem(keys.apiKey(key.hash), key);
export const revoked = ({ hash }: ApiKey): Delete => itemRemoved(keys.apiKey(hash));
/** Writes nothing if another call did so since `before`, or the key was revoked. */
export async function used({ table }: DataContext, { hash }: ApiKey, now: Date, before: Date): Promise<void> {
  await table.update({
    key: keys.apiKey(hash),
    update: 'SET used_at = :now',
    condition: 'attribute_exists(pk) AND (attribute_not_exists(used_at) OR used_at <= :before)',
    values: { ':now': now.toISOString(), ':before': before.toISOString() },
  });
}
