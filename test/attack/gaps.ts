/** The longest time without a call to a host while a delivery waited for its first attempt. */

import { setTimeout as wait } from 'node:timers/promises';
import type { DataContext } from '#functions/data/context';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { Table } from '#functions/data/table/table';
import { TABLE_NAME } from '#local/running';
import type { Host, Outside } from '#test/attack/outside';
import type { ProductProcess } from '#test/harness/product-process';

/** A kill and the next start may block a host for this long. */
const MAX_GAP_MS = 30_000;
const POLL_INTERVAL_MS = 500;
const MAX_WAITING = 500;

/** @returns milliseconds by host */
export type Gaps = ReadonlyMap<Host, number>;

/** Polls until the attack is over, even while the product is down. */
export async function watchGaps(
  product: ProductProcess,
  { calledAt }: Outside,
  goesOn: () => boolean,
): Promise<Gaps> {
  const longest = new Map<Host, number>();
  let read: (DataContext & { readonly endpoint: string }) | undefined;
  const notTried = async () => {
    const { endpoint } = product;
    if (read?.endpoint !== endpoint) read = { endpoint, table: new Table({ name: TABLE_NAME, endpoint }) };
    return deliveryStore.notTried(read, new Date(), MAX_WAITING);
  };
  while (goesOn()) {
    await wait(POLL_INTERVAL_MS);
    // Nothing can be read while the engine is down; the first read afterwards sees the whole gap.
    const waiting = await notTried().catch(() => []);
    const now = Date.now();
    for (const { channel, created_at, sending_until, attempts } of waiting) {
      if (sending_until !== undefined || attempts.length > 0) continue;
      const since = Math.max(new Date(created_at).getTime(), calledAt.get(channel) ?? 0);
      longest.set(channel, Math.max(longest.get(channel) ?? 0, now - since));
    }
  }
  return longest;
}

export const gapsFound = (gaps: Gaps): string[] =>
  [...gaps].flatMap(([host, ms]) =>
    ms <= MAX_GAP_MS
      ? []
      : [`${host} got no delivery calls for ${Math.round(ms / 1000)} s while deliveries waited`],
  );

export const gapSeconds = (gaps: Gaps, of: (host: Host) => boolean): string =>
  (Math.max(0, ...[...gaps].filter(([host]) => of(host)).map(([, ms]) => ms)) / 1000).toFixed(1);
