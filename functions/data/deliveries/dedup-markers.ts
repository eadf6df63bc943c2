import type { DataContext } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import { newWriteId } from '#functions/data/table/write-id';

/**
 * Reserves the right to send. If it is not confirmed, it can be taken again after `leaseSeconds`.
 * @returns `busy` if another process is sending
 */
export async function reserve(
  { table }: DataContext,
  what: string,
  now: Date,
  leaseSeconds: number,
): Promise<'taken' | 'sent' | 'busy'> {
  const seconds = epochSeconds(now);
  const by = newWriteId(table.runtime);
  const written = await table.put({
    put: { ...keys.dedupMarker(what), expires_at: seconds + leaseSeconds, by },
    condition: 'attribute_not_exists(pk) OR expires_at <= :now',
    values: { ':now': seconds },
  });
  // The SDK repeats a write whose answer was lost: then the item found is the one written by this call.
  if (written.ok || written.item?.by === by) return 'taken';
  return written.item?.by === undefined ? 'sent' : 'busy';
}

/** Whether the notification was sent, or is being sent. */
export async function isSet({ table }: DataContext, what: string, now: Date): Promise<boolean> {
  const item = await table.get(keys.dedupMarker(what));
  return item !== undefined && Number(item.expires_at) > epochSeconds(now);
}

/** @param seconds for which it is not sent again */
export async function confirm(
  { table }: DataContext,
  what: string,
  now: Date,
  seconds: number,
): Promise<void> {
  await table.put({
    put: { ...keys.dedupMarker(what), expires_at: epochSeconds(now) + seconds },
  });
}

export async function release({ table }: DataContext, what: string): Promise<void> {
  await table.delete({ delete: keys.dedupMarker(what) });
}
