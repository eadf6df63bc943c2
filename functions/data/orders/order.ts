import * as z from 'zod/mini';
import { type Capped, cappedBy, type Pace, paceOn, paceSchema } from '#functions/data/orders/pace';
import { type ClaimQuota, claimsAllowed } from '#shared/rules/claim-windows';
import {
  BUYER_TYPES,
  DEFAULT_DECISIONS,
  type OrderStatus,
  RENEWALS,
  REORDER_STATES,
} from '#shared/rules/constants';
import type { Schedule } from '#shared/rules/schedule';
import { berlinDay } from '#shared/rules/working-days';

export const orderSchema = z.object({
  order_id: z.int(),
  buyer: z.int(),
  buyer_order_number: z.int(),
  lead_limit: z.int(),
  /** Includes reservations that are not assigned yet and `compensated_deletions`. */
  leads_received: z.int(),
  /** Original leads deleted after their claim was approved. Missing in orders from before November 2026. */
  compensated_deletions: z._default(z.int(), 0),
  reimbursement_pending: z.int(),
  reimbursement_delivered: z.int(),
  last_sequence: z.int(),
  /**
   * `{lead}.{distribution attempt}` to the sequence. Written with the counter, so that a repeated write is recognised.
   */
  reservations: z.record(z.string(), z.int()),
  replacement_reservations: z.record(z.string(), z.int()),
  /** Empty while the link is off. */
  token: z.string(),
  /** Absent: created with the order. */
  link_made_at: z.optional(z.string()),
  /** Copied from the buyer when the order was created. Cents. */
  price_per_lead: z.nullable(z.int()),
  buyer_type: z.enum(BUYER_TYPES),
  max_claim_days: z.int(),
  min_days_for_ne: z.int(),
  decision_days: z._default(z.nullable(z.int()), null),
  default_decision: z._default(z.enum(DEFAULT_DECISIONS), 'none'),
  claim_quota_percent: z._default(z.nullable(z.int()), null),
  created_at: z.string(),
  deleted_at: z.nullable(z.string()),
  /** Replacements that deleting the order returned to the balance; restoring takes them back. */
  returned_to_balance: z.int(),
  total_claims: z.int(),
  pending_claims: z.int(),
  approved_claims: z.int(),
  rejected_claims: z.int(),
  /** Raised so that every change of its list changes the order. Missing in older orders. */
  edited_leads: z._default(z.int(), 0),
  pace: z.optional(paceSchema),
  renewal: z._default(z.enum(RENEWALS), 'none'),
  renewed_as: z.optional(z.int()),
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

export function hasCapacity(order: Counters): boolean {
  return (
    order.deleted_at === null && (order.leads_received < order.lead_limit || order.reimbursement_pending > 0)
  );
}

export const isFilledTo = (order: Pick<Order, 'leads_received' | 'lead_limit'>, percent: number): boolean =>
  order.leads_received * 100 >= order.lead_limit * percent;

export const isNearlyFull = (order: Counters, percent: number): boolean =>
  hasCapacity(order) && isFilledTo(order, percent);

export function capacityOf(order: Counters): number {
  return hasCapacity(order) ? order.lead_limit - order.leads_received + order.reimbursement_pending : 0;
}

export function paceAt(
  order: Pick<Order, keyof Counters | 'pace' | 'last_sequence'>,
  schedule: Schedule | null | undefined,
  at: Date,
): Pace | undefined {
  return paceOn({ ...order, capacity: capacityOf(order) }, schedule ?? undefined, berlinDay(at));
}

export interface CapacityState {
  readonly has_capacity: boolean;
  readonly paced: boolean;
  readonly capped: Capped | undefined;
}

export const NO_CAPACITY: CapacityState = { has_capacity: false, paced: false, capped: undefined };

interface Scheduled {
  readonly schedule?: Schedule | null | undefined;
}

export function capacityStateOf(order: Order, { schedule }: Scheduled, at: Date): CapacityState {
  const open = hasCapacity(order);
  return {
    has_capacity: open,
    paced: order.pace !== undefined,
    capped: open ? cappedBy(paceAt(order, schedule, at), schedule ?? undefined) : undefined,
  };
}

export function orderStatus(order: Counters, served: boolean): OrderStatus {
  if (order.deleted_at !== null) return 'Deleted';
  if (!hasCapacity(order)) return 'Completed';
  return served ? 'Active' : 'Inactive';
}

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

/** Fewer than `leads_received` once a compensated lead was deleted. */
export function originalLeads(order: Pick<Order, 'leads_received' | 'compensated_deletions'>): number {
  return order.leads_received - order.compensated_deletions;
}

/** Cents; null without a price. */
export function revenue(
  order: Pick<Order, 'price_per_lead' | 'leads_received' | 'compensated_deletions'>,
): number | null {
  return order.price_per_lead === null ? null : order.price_per_lead * originalLeads(order);
}
