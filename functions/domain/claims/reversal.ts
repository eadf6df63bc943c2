/** An admin reverses an automatic decision, within a day and once. One transaction updates all that depends on it. */

import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Context } from '#functions/data/context';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { withCapacity } from '#functions/data/distribution/pool-store';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import { type Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import type { TransactionItem } from '#functions/data/table/table';
import { creditOf } from '#functions/domain/claims/claims';
import { reversibleUntil } from '#functions/domain/claims/reversible';
import { aboutClaim, auditEntry } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { creditedClaims, creditUndoneEntry } from '#functions/domain/orders/replacement-ledger';
import { REVERSAL_HOURS } from '#shared/rules/constants';

/** @throws DomainError 404; 409 if it was no automatic decision or is final, or if the lead was deleted or its replacement delivered */
export async function reverseDecision(
  context: Context,
  input: { who: string; claimId: number; notes: string },
): Promise<Claim> {
  return retryOnConflict(context.runtime, async () => {
    const expected = await claimStore.get(context, input.claimId);
    if (expected === undefined) throw notFound('Claim');
    const now = context.runtime.now();
    requireReversible(expected, now);
    const [order, buyer, lead] = await Promise.all([
      orderStore.get(context, expected.order_id),
      buyerStore.get(context, expected.buyer),
      leadStore.get(context, expected.lead_id),
    ]);
    if (order === undefined || buyer === undefined) throw notFound('Order');
    if (lead?.status !== 'assigned')
      throw conflict('lead_deleted_since', 'The lead has been deleted. The decision stands');
    const at = now.toISOString();
    const status = expected.claim_status === 'approved' ? 'rejected' : 'approved';
    const notes = input.notes.trim() === '' ? null : input.notes;
    const { claim, items } = claimStore.reversed(expected, { status, notes, at });
    const moved =
      status === 'approved'
        ? await credited(context, { claim, order, buyer, at })
        : await takenBack(context, { claim, buyer, at });
    return committed(context, claim, [
      ...items,
      leadWrites.claimReversed(claim, expected.claim_status),
      ...orderStore.claimReversed(order, status, moved.order),
      buyerStore.claimReversed(buyer, status, moved.buyer),
      ...moved.items,
      notificationStore.created({ about: 'claim_decided', lead_id: claim.lead_id, status }, now),
      auditEntry(context, {
        who: input.who,
        action: 'decision_reversed',
        ...aboutClaim(claim.claim_id),
        before: { claim_status: expected.claim_status, admin_notes: expected.admin_notes },
        after: { claim_status: claim.claim_status, admin_notes: notes },
      }),
    ]);
  });
}

function requireReversible(claim: Claim, now: Date): void {
  if (claim.reversed_at !== undefined)
    throw conflict('claim_already_reversed', 'The decision of this claim was already reversed');
  const until = reversibleUntil(claim);
  if (until === undefined)
    throw conflict('not_decided_by_rule', 'Only an automatic decision can be reversed');
  if (now >= until)
    throw conflict(
      'reversal_too_late',
      `A decision can be reversed within ${REVERSAL_HOURS} hours; this one is final`,
    );
}

interface Moved {
  /** The order that owes one more or one less, as it was read; null for none. */
  readonly order: orderStore.Owing | null;
  readonly buyer: Partial<Buyer>;
  readonly items: readonly TransactionItem[];
}

const NOTHING: Moved = { order: null, buyer: {}, items: [] };

type Move = { readonly claim: Claim; readonly buyer: Buyer; readonly at: string };

async function credited(context: Context, input: Move & { readonly order: Order }): Promise<Moved> {
  if (input.order.buyer_type !== 'prepay') return NOTHING;
  const credit = await creditOf(context, input);
  return { ...credit, order: credit.order && { order: credit.order, by: 1 } };
}

/**
 * Replacements are interchangeable, so one is taken where one is owed: from the credited order, else the balance, else any other
 * order. While all owed ones are being delivered there is none.
 * @throws DomainError 409 if the replacement of the claim was delivered
 */
async function takenBack(context: Context, { claim, buyer, at }: Move): Promise<Moved> {
  const credits = creditedClaims(await replacementStore.ofBuyer(context, buyer.buyer));
  const credit = credits.find(({ claim_id }) => claim_id === claim.claim_id);
  // Postpaid orders get no credit.
  if (credit === undefined) return NOTHING;
  if (credit.delivery !== null) throw delivered();
  const common = { buyer: buyer.buyer, claimId: claim.claim_id, at };
  const orders = await orderStore.ofBuyer(context, buyer.buyer);
  const owing = orders.filter(({ reimbursement_pending }) => reimbursement_pending > 0);
  const order = owing.find(({ order_id }) => order_id === credit.order_id);
  if (order === undefined && buyer.balance_count > 0) {
    const balance = buyer.balance_count - 1;
    return {
      order: null,
      buyer: { balance_count: balance },
      items: [creditUndoneEntry({ ...common, order: null, balanceAfter: balance })],
    };
  }
  const from = order ?? owing[0];
  if (from === undefined) throw delivered();
  const after = { ...from, reimbursement_pending: from.reimbursement_pending - 1 };
  const entry = creditUndoneEntry({ ...common, order: after, balanceAfter: null });
  const poolEntry = await poolStore.entry(context, buyer.buyer);
  return {
    order: { order: from, by: -1 },
    buyer: {},
    items:
      poolEntry?.order_id === from.order_id
        ? [entry, poolStore.entryChanged(poolEntry, withCapacity(poolEntry, after, new Date(at)))]
        : [entry],
  };
}

const delivered = () =>
  conflict(
    'replacement_delivered',
    'The replacement for this claim has already been delivered. The approval stands',
  );
