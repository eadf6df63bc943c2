import * as z from 'zod';
import { BUYER_TYPES, type OrderStatus } from '#shared/contract/constants';

export const orderSchema = z.object({
  order_id: z.number().int(),
  buyer: z.number().int(),
  buyer_order_number: z.number().int(),
  lead_limit: z.number().int(),
  /** Original leads, those whose place is taken but that are still being assigned included. */
  leads_received: z.number().int(),
  /** Replacements owed and attached to this order. */
  reimbursement_pending: z.number().int(),
  reimbursement_delivered: z.number().int(),
  /** The last number given to a lead; numbers are never given twice. */
  last_sequence: z.number().int(),
  /**
   * Places of the limit taken by leads that may not have landed yet: `{lead}.{flight}` to the sequence. The note is
   * written together with the counter, so a repeated or interrupted write can be told apart from a new one.
   */
  held: z.record(z.string(), z.number().int()),
  /** The same for places of replacements. */
  held_replacements: z.record(z.string(), z.number().int()),
  token: z.string(),
  /** Copied from the buyer when the order was created. Cents. */
  price_per_lead: z.number().int().nullable(),
  buyer_type: z.enum(BUYER_TYPES),
  max_claim_days: z.number().int(),
  min_days_for_ne: z.number().int(),
  created_at: z.string(),
  deleted_at: z.string().nullable(),
  /** Replacements that deleting the order returned to the buyer's balance; restoring takes them back. */
  returned_to_balance: z.number().int(),
  total_claims: z.number().int(),
  pending_claims: z.number().int(),
  approved_claims: z.number().int(),
  rejected_claims: z.number().int(),
});
export type Order = z.output<typeof orderSchema>;

type Counters = Pick<Order, 'lead_limit' | 'leads_received' | 'reimbursement_pending' | 'deleted_at'>;

/** Whether the order can take a lead: not deleted, and below its limit or owing a replacement. */
export function hasRoom(order: Counters): boolean {
  return (
    order.deleted_at === null && (order.leads_received < order.lead_limit || order.reimbursement_pending > 0)
  );
}

/** The status shown; `buyerActive` is false for a deleted or paused buyer. */
export function orderStatus(order: Counters, buyerActive: boolean): OrderStatus {
  if (order.deleted_at !== null) return 'Deleted';
  if (!hasRoom(order)) return 'Completed';
  return buyerActive ? 'Active' : 'Inactive';
}

/** Revenue in cents: the order's price times its original leads; null without a price. */
export function revenue(order: Pick<Order, 'price_per_lead' | 'leads_received'>): number | null {
  return order.price_per_lead === null ? null : order.price_per_lead * order.leads_received;
}
