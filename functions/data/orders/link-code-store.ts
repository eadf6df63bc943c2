/** The code of a request is derived from it and not stored. */
import type { DataContext } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';

export const LINK_CODE_SECONDS = 10 * 60;

/** Replaces an earlier request. */
export const requested = (orderId: number, request: string, now: Date): Put => ({
  put: { ...keys.linkCode(orderId), request, expires_at: epochSeconds(now) + LINK_CODE_SECONDS },
});

export async function open({ table }: DataContext, orderId: number, now: Date): Promise<string | undefined> {
  const item = await table.get(keys.linkCode(orderId));
  return item !== undefined && Number(item.expires_at) > epochSeconds(now) ? String(item.request) : undefined;
}

/** @returns false if it was used or replaced meanwhile */
export async function used({ table }: DataContext, orderId: number, request: string): Promise<boolean> {
  const { ok } = await table.delete({
    delete: keys.linkCode(orderId),
    condition: '#request = :request',
    names: { '#request': 'request' },
    values: { ':request': request },
  });
  return ok;
}
