import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';

export type DedupMarkers = ReturnType<typeof createDedupMarkers>;

/** Dedup markers: each records for a limited time that a notification was sent, so that it is sent once. */
export function createDedupMarkers(table: Table) {
  return {
    /**
     * Takes the right to send a notification.
     * @param what names the notification
     * @param leaseSeconds after which it may be taken again if it was not confirmed
     * @returns `sent` when it was sent before, `busy` when another is sending it
     */
    async reserve(what: string, now: Date, leaseSeconds: number): Promise<'taken' | 'sent' | 'busy'> {
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
    },

    /** Whether the notification was sent, or is being sent. */
    async isSet(what: string, now: Date): Promise<boolean> {
      const item = await table.get(keys.dedupMarker(what));
      return item !== undefined && Number(item.expires_at) > epochSeconds(now);
    },

    /** Records that the notification was sent. @param seconds for which it is not sent again */
    async confirm(what: string, now: Date, seconds: number): Promise<void> {
      await table.put({
        put: { ...keys.dedupMarker(what), expires_at: epochSeconds(now) + seconds },
      });
    },

    /** Records that the notification was not sent: it may be taken again at once. */
    async release(what: string): Promise<void> {
      await table.delete({ delete: keys.dedupMarker(what) });
    },
  };
}
