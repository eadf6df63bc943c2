/** Requests for a code that opens a link; the code itself is derived from the request and not stored. */
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import type { Put, Table } from '#functions/data/table/table';

export const LINK_CODE_SECONDS = 10 * 60;

export type LinkCodeStore = ReturnType<typeof createLinkCodeStore>;

export function createLinkCodeStore(table: Table) {
  return {
    /** For a transaction; the request before is forgotten. */
    requested: (orderId: number, request: string, now: Date): Put => ({
      put: { ...keys.linkCode(orderId), request, expires_at: epochSeconds(now) + LINK_CODE_SECONDS },
    }),

    /** The request whose code is valid. */
    async open(orderId: number, now: Date): Promise<string | undefined> {
      const item = await table.get(keys.linkCode(orderId));
      return item !== undefined && Number(item.expires_at) > epochSeconds(now)
        ? String(item.request)
        : undefined;
    },

    /** Forgets a request whose code was entered. @returns false when it was used or replaced meanwhile */
    async used(orderId: number, request: string): Promise<boolean> {
      const { ok } = await table.delete({
        delete: keys.linkCode(orderId),
        condition: '#request = :request',
        names: { '#request': 'request' },
        values: { ':request': request },
      });
      return ok;
    },
  };
}
