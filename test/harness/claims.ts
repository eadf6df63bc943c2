/** Claims on a real table, filed and decided by an admin. */
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import * as leadStore from '#functions/data/leads/lead-store';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';

/** Files a claim for an assigned lead, and decides it if a status is given. */
export async function claimLead(
  deps: Parameters<typeof decideClaim>[0],
  leadId: string,
  { reason = 'fake', status }: { readonly reason?: string; readonly status?: 'approved' | 'rejected' } = {},
): Promise<Claim> {
  const { order_id, buyer } = (await leadStore.get(deps, leadId))!;
  const { buyer_id: buyerId } = (await buyerStore.get(deps, buyer!))!;
  const filed = await fileClaim(deps, { admin: 'anna' }, { leadId, orderId: order_id!, buyerId, reason });
  return status === undefined
    ? filed
    : decideClaim(deps, { who: 'anna', claimId: filed.claim_id, status, notes: '' });
}
