/** Results of verification services, kept for a limited time because each request costs money. */
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

export interface VerificationResult {
  readonly status: 'valid' | 'invalid';
  readonly note: string | null;
  /** That there is no such mailbox or number. */
  readonly dead?: boolean | undefined;
}

export interface VerificationResultStore {
  /** @param hash of the kind of check and of what was checked; never the data themselves */
  get(hash: string, now: Date): Promise<VerificationResult | undefined>;
  put(hash: string, result: VerificationResult, expires: Date): Promise<void>;
  remove(hash: string): Promise<void>;
}

export function createVerificationResultStore(
  table: Pick<Table, 'get' | 'put' | 'delete'>,
): VerificationResultStore {
  return {
    async get(hash, now) {
      const item = await table.get(keys.verificationResult(hash), { consistent: false });
      // DynamoDB removes expired items within days only.
      if (item === undefined || Number(item.expires_at) <= epochSeconds(now)) return undefined;
      const { verdict: status, note } = item;
      if (status !== 'valid' && status !== 'invalid') return undefined;
      return { status, note: typeof note === 'string' ? note : null, dead: item.dead === true };
    },

    async put(hash, { status, note, dead }, expires) {
      await table.put({
        put: {
          ...keys.verificationResult(hash),
          verdict: status,
          note,
          ...(dead === true && { dead }),
          expires_at: epochSeconds(expires),
        },
      });
    },

    async remove(hash) {
      await table.delete({ delete: keys.verificationResult(hash) });
    },
  };
}
