/** Writes for a lead that leaves its order: deleted by an admin, or refused by the buyer's partner. */

import type { PoolEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { DataContext } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Assignment, Lead } from '#functions/data/leads/lead';
import { capacityStateOf, type Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { paceWithout } from '#functions/data/orders/pace';
import type { TransactionItem } from '#functions/data/table/table';
import { notFound } from '#functions/domain/common/errors';
import { deliveryUndoneEntry, deliveryUndoneToBalance } from '#functions/domain/orders/replacement-ledger';

/** Only original leads can be claimed. Those of postpay orders are compensated by the invoice. */
const isCompensated = (lead: Pick<Lead, 'claim_status'>) => lead.claim_status === 'approved';

/**
 * The lead's capacity is released, which opens a completed order if it is the buyer's current one. A lead whose claim was approved
 * releases none: it has been compensated. A replacement is owed again, by its order if that is the current one, else in the
 * balance.
 * @param poolEntry undefined for a deleted buyer
 */
export async function leavesOrder(
  context: DataContext,
  lead: Pick<Lead, 'lead_id' | 'distribution_attempt' | 'claim_status'>,
  assignment: Assignment,
  poolEntry: PoolEntry | undefined,
  at: string,
): Promise<TransactionItem[]> {
  const { order_id, sequence, lead_type } = assignment;
  if (isCompensated(lead)) return orderStore.compensatedLeadRemoved(order_id);
  const order = await orderStore.get(context, order_id);
  if (order === undefined) throw notFound('Order');
  const { lead_id: leadId, distribution_attempt } = lead;
  const reservation = { lead_id: leadId, distribution_attempt, order_id, sequence, lead_type };
  const isCurrent = poolEntry?.order_id === order_id && order.deleted_at === null;
  if (isCurrent || lead_type === 'original') {
    const owing = { ...order, reimbursement_pending: order.reimbursement_pending + 1 };
    const without = orderWithout(order, assignment);
    const capacityState = isCurrent
      ? [poolStore.capacityNoted(poolEntry, capacityStateOf(without, poolEntry, new Date(at)))]
      : [];
    return [
      ...capacityState,
      ...orderStore.assignmentRemoved(order, reservation),
      ...(lead_type === 'original' ? [] : [deliveryUndoneEntry({ order: owing, leadId, at })]),
    ];
  }
  const buyer = await buyerStore.get(context, assignment.buyer);
  if (buyer === undefined) throw notFound('Buyer');
  const balance = buyer.balance_count + 1;
  return [
    ...orderStore.replacementRemoved(order, reservation),
    buyerStore.changed(buyer, { balance_count: balance }),
    ...deliveryUndoneToBalance({ order, leadId, balanceAfter: balance, at }),
  ];
}

function orderWithout(order: Order, { lead_type, sequence }: Assignment): Order {
  return {
    ...order,
    ...(lead_type === 'original'
      ? { leads_received: order.leads_received - 1 }
      : {
          reimbursement_delivered: order.reimbursement_delivered - 1,
          reimbursement_pending: order.reimbursement_pending + 1,
        }),
    ...(order.pace && { pace: paceWithout(order.pace, sequence) }),
  };
}
