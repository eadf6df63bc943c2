import * as z from 'zod/mini';
import { type Capped, cappedBy, type Pace, paceOn, paceSchema } from '#functions/data/orders/pace';
import { type ClaimQuota, claimsAllowed } from '#shared/rules/claims';
import { BUYER_TYPES, ON_SILENCE, type OrderStatus, RENEWALS, REORDER_STATES } from '#shared/rules/constants';
import type { Schedule } from '#shared/rules/schedule';
import { berlinDay } from '#shared/rules/working-days';

export const orderSchema = z.object({
  order_id: z.int(),
  buyer: z.int(),
  buyer_order_number: z.int(),
  lead_limit: z.int(),
  /**
   * Places taken of the limit: original leads, including the reservations of leads that are not assigned yet and
   * `compensated_deletions`.
   */
  leads_received: z.int(),
  /** Original leads that were deleted after their claim had been approved. Missing in orders of before November 2026. */
  compensated_deletions: z._default(z.int(), 0),
  /** Replacements owed and attached to this order. */
  reimbursement_pending: z.int(),
  reimbursement_delivered: z.int(),
  /** The last number given to a lead; numbers are never given twice. */
  last_sequence: z.int(),
  /**
   * Reservations of original leads that may not be confirmed yet: `{lead}.{distribution attempt}` to the sequence. Written
   * together with the counter, so that a repeated or interrupted write can be told from a new one.
   */
  reservations: z.record(z.string(), z.int()),
  /** Reservations of replacements, in the same form. */
  replacement_reservations: z.record(z.string(), z.int()),
  /** Of its link; empty while the link is switched off. */
  token: z.string(),
  /** When its link was renewed; until then it is as old as the order. */
  link_made_at: z.optional(z.string()),
  /** Copied from the buyer when the order was created. Cents. */
  price_per_lead: z.nullable(z.int()),
  buyer_type: z.enum(BUYER_TYPES),
  max_claim_days: z.int(),
  min_days_for_ne: z.int(),
  /** Working days within which its claims are decided; null: not agreed. */
  decision_days: z._default(z.nullable(z.int()), null),
  on_silence: z._default(z.enum(ON_SILENCE), 'none'),
  /** Percent of the lead limit; null: any number of claims. */
  claim_quota_percent: z._default(z.nullable(z.int()), null),
  created_at: z.string(),
  deleted_at: z.nullable(z.string()),
  /** Replacements that deleting the order returned to the buyer's balance; restoring takes them back. */
  returned_to_balance: z.int(),
  total_claims: z.int(),
  pending_claims: z.int(),
  approved_claims: z.int(),
  rejected_claims: z.int(),
  /** Counts the edits of its leads, so that whatever changes in its list changes the order. Missing in older orders. */
  edited_leads: z._default(z.int(), 0),
  /** Absent without caps. */
  pace: z.optional(paceSchema),
  renewal: z._default(z.enum(RENEWALS), 'none'),
  /** The order that followed it when it was full. */
  renewed_as: z.optional(z.int()),
  /** That its buyer asked for the next one. */
  reorder: z.optional(
    z.object({
      lead_limit: z.int(),
      requested_at: z.string(),
      state: z.enum(REORDER_STATES),
      decided_at: z.nullable(z.string()),
    }),
  ),
});
export type Order = z.output<typeof orderSchema>;

type Counters = Pick<Order, 'lead_limit' | 'leads_received' | 'reimbursement_pending' | 'deleted_at'>;

/** Whether the order can take a lead: not deleted, and below its limit or owing a replacement. */
export function hasCapacity(order: Counters): boolean {
  return (
    order.deleted_at === null && (order.leads_received < order.lead_limit || order.reimbursement_pending > 0)
  );
}

/** Whether so many percent of its limit are taken. */
export const isFilledTo = (order: Pick<Order, 'leads_received' | 'lead_limit'>, percent: number): boolean =>
  order.leads_received * 100 >= order.lead_limit * percent;

/** Whether the order still takes leads, though so many percent of its limit are taken. */
export const isNearlyFull = (order: Counters, percent: number): boolean =>
  hasCapacity(order) && isFilledTo(order, percent);

/** How many more leads the order takes: originals and the replacements that it owes; 0 for a deleted one. */
export function capacityOf(order: Counters): number {
  return hasCapacity(order) ? order.lead_limit - order.leads_received + order.reimbursement_pending : 0;
}

/** The pace of an order at an instant, before its next lead; undefined without caps. */
export function paceAt(
  order: Pick<Order, keyof Counters | 'pace' | 'last_sequence'>,
  schedule: Schedule | null | undefined,
  at: Date,
): Pace | undefined {
  return paceOn({ ...order, capacity: capacityOf(order) }, schedule ?? undefined, berlinDay(at));
}

/** What the pool notes of an order. */
export interface Room {
  readonly has_capacity: boolean;
  readonly paced: boolean;
  readonly capped: Capped | undefined;
}

export const NO_ROOM: Room = { has_capacity: false, paced: false, capped: undefined };

/** Whether an order takes a lead at an instant, and if not for how long. */
export function roomOf(order: Order, schedule: Schedule | null | undefined, at: Date): Room {
  const open = hasCapacity(order);
  return {
    has_capacity: open,
    paced: order.pace !== undefined,
    capped: open ? cappedBy(paceAt(order, schedule, at), schedule ?? undefined) : undefined,
  };
}

/**
 * The status shown.
 * @param served whether the buyer's leads go to it: false for a deleted or paused buyer, and for one that has gone on to
 *   another order
 */
export function orderStatus(order: Counters, served: boolean): OrderStatus {
  if (order.deleted_at !== null) return 'Deleted';
  if (!hasCapacity(order)) return 'Completed';
  return served ? 'Active' : 'Inactive';
}

/** How many claims the order may have, and how many count against that; undefined without a quota. */
export function claimQuotaOf(
  order: Pick<Order, 'lead_limit' | 'claim_quota_percent' | 'pending_claims' | 'approved_claims'>,
): ClaimQuota | undefined {
  return order.claim_quota_percent === null
    ? undefined
    : {
        allowed: claimsAllowed(order.lead_limit, order.claim_quota_percent),
        used: order.pending_claims + order.approved_claims,
      };
}

/** How many original leads the order has: fewer than places taken once a compensated lead was deleted. */
export function originalLeads(order: Pick<Order, 'leads_received' | 'compensated_deletions'>): number {
  return order.leads_received - order.compensated_deletions;
}

/** Revenue in cents: the order's price times its original leads; null without a price. */
export function revenue(
  order: Pick<Order, 'price_per_lead' | 'leads_received' | 'compensated_deletions'>,
): number | null {
  return order.price_per_lead === null ? null : order.price_per_lead * originalLeads(order);
}
