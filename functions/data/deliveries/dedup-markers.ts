import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';

export type DedupMarkers = ReturnType<typeof createDedupMarkers>;

/** Remembers for a while what has been said, so that it is said once. */
export function createDedupMarkers(table: Table) {
  return {
    /**
     * Takes the right to give a notice.
     * @param what names the notice; @param lease seconds after which another may take it if it was not confirmed
     * @returns false when it was given, or is being given
     */
    async take(what: string, now: Date, lease: number): Promise<boolean> {
      const seconds = Math.floor(now.getTime() / 1000);
      const by = newWriteId();
      const written = await table.put({
        put: { ...keys.dedupMarker(what), expires_at: seconds + lease, by },
        condition: 'attribute_not_exists(pk) OR expires_at <= :now',
        values: { ':now': seconds },
      });
      // What stands in the way may be this very write, come again after a lost answer.
      return written.ok || written.item?.by === by;
    },

    /** Whether it was given, or is being given. */
    async isSet(what: string, now: Date): Promise<boolean> {
      const item = await table.get(keys.dedupMarker(what));
      return item !== undefined && Number(item.expires_at) > now.getTime() / 1000;
    },

    /** The notice was given; it is not given again for so many seconds. */
    async confirm(what: string, now: Date, seconds: number): Promise<void> {
      await table.put({
        put: { ...keys.dedupMarker(what), expires_at: Math.floor(now.getTime() / 1000) + seconds },
      });
    },

    /** The notice was not given: anyone may try again at once. */
    async release(what: string): Promise<void> {
      await table.delete({ delete: keys.dedupMarker(what) });
    },
  };
}
