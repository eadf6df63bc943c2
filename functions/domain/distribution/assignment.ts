/** The assignment of a lead for which capacity is reserved. */
import type { PoolEntry } from '#functions/data/buyers/buyer';
import * as poolStore from '#functions/data/distribution/pool-store';
import { agrees } from '#functions/data/distribution/pool-store';
import type { Lead, ReceivedLead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { type CapacityState, capacityStateOf, type Order } from '#functions/data/orders/order';
import type { Reservation, ReserveResult } from '#functions/data/orders/reservation-store';
import type { Put, TransactionItem } from '#functions/data/table/table';
import { aboutLead, auditEntry } from '#functions/domain/common/audit';
import type { DistributionContext, DistributionResult } from '#functions/domain/distribution/attempt';
import type { Verified } from '#functions/domain/distribution/verification';
import { deliveryEntry } from '#functions/domain/orders/replacement-ledger';
import { releaseReservation } from '#functions/domain/orders/reservations';

export const mustNoteCapacity = (entry: PoolEntry, capacityState: CapacityState, at: Date): boolean =>
  (!capacityState.has_capacity || capacityState.capped !== undefined) && !agrees(entry, capacityState, at);

export interface Placement {
  readonly poolEntry: PoolEntry;
  readonly reserved: Extract<ReserveResult, { reserved: true }>;
  readonly verified: Verified;
  /** Further conditions of the assignment. */
  readonly checks?: readonly TransactionItem[];
}

export async function assign(
  context: DistributionContext,
  lead: Lead,
  placement: Placement,
  at: Date,
): Promise<DistributionResult> {
  const { poolEntry, reserved } = placement;
  const { order, sequence, lead_type } = reserved;
  const capacityState = capacityStateOf(order, poolEntry, at);
  const [completed] = await Promise.all([
    completeAssignment(context, lead, placement),
    mustNoteCapacity(poolEntry, capacityState, at)
      ? poolStore.noteCapacity(context, poolEntry, capacityState)
      : undefined,
  ]);
  const { lead_id } = lead;
  if (!completed) return { status: 'overtaken', lead_id };
  return { status: 'assigned', lead_id, buyer_id: poolEntry.buyer_id, order, sequence, lead_type };
}

/** Assigns a lead by its reservation, or releases that. @returns false if a later distribution attempt has taken over */
export async function completeAssignment(
  context: DistributionContext,
  lead: ReceivedLead & Pick<Lead, 'chosen_by' | 'reason'>,
  { poolEntry, reserved: { order, sequence, lead_type }, verified, checks = [] }: Placement,
): Promise<boolean> {
  const assignment = { buyer: poolEntry.buyer, order_id: order.order_id, sequence, lead_type };
  const reservation: Reservation = {
    ...assignment,
    lead_id: lead.lead_id,
    distribution_attempt: lead.distribution_attempt,
  };
  const at = context.runtime.now().toISOString();
  const result = await context.table.transact([
    ...checks,
    ...leadStore.assigned(lead, assignment, poolEntry.channels, at, verified),
    ...(lead_type === 'reimbursement' ? [deliveryEntry({ order, leadId: lead.lead_id, at })] : []),
    ...(lead.chosen_by === undefined
      ? []
      : [assignedByHand(context, lead, lead.chosen_by, poolEntry, order)]),
  ]);
  if (!result.ok && !(await isAssignedAs(context, reservation))) {
    await releaseReservation(context, reservation);
    return false;
  }
  context.reservations.confirm(reservation);
  context.runtime.metrics.record('LeadsAssigned', 1, {});
  return true;
}

/** Part of the assignment, so that the audit trail has it also if the reconciliation finishes the attempt. */
function assignedByHand(
  context: DistributionContext,
  lead: Pick<Lead, 'lead_id' | 'reason'>,
  who: string,
  poolEntry: PoolEntry,
  order: Order,
): Put {
  return auditEntry(context, {
    who,
    action: 'assigned',
    ...aboutLead(lead.lead_id),
    before: { status: 'pending', reason: lead.reason },
    after: { status: 'assigned', buyer_id: poolEntry.buyer_id, order_id: order.order_id },
  });
}

async function isAssignedAs(context: DistributionContext, reservation: Reservation): Promise<boolean> {
  const lead = await leadStore.get(context, reservation.lead_id);
  return lead?.order_id === reservation.order_id && lead.sequence === reservation.sequence;
}
