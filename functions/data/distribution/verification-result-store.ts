/** Results of verification services, cached because each request costs money. */
import type { DataContext } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';

export interface VerificationResult {
  readonly status: 'valid' | 'invalid';
  readonly note: string | null;
  /** There is no such mailbox or number. */
  readonly dead?: boolean | undefined;
}

/** @param hash of the kind of check and its subject; never the data themselves */
export async function get(
  { table }: DataContext,
  hash: string,
  now: Date,
): Promise<VerificationResult | undefined> {
  const item = await table.get(keys.verificationResult(hash), { consistent: false });
  // DynamoDB removes expired items only within days.
  if (item === undefined || Number(item.expires_at) <= epochSeconds(now)) return undefined;
  const { verdict: status, note } = item;
  if (status !== 'valid' && status !== 'invalid') return undefined;
  return { status, note: typeof note === 'string' ? note : null, dead: item.dead === true };
}

export async function put(
  { table }: DataContext,
  hash: string,
  { status, note, dead }: VerificationResult,
  expires: Date,
): Promise<void> {
  await table.put({
    put: {
      ...keys.verificationResult(hash),
      verdict: status,
      note,
      ...(dead === true && { dead }),
      expires_at: epochSeconds(expires),
    },
  });
}

export async function remove({ table }: DataContext, hash: string): Promise<void> {
  await table.delete({ delete: keys.verificationResult(hash) });
}
