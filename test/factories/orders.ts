import type { Order } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import { paceByCaps } from '#functions/data/orders/pace';

/** An open order in stored form. */
export const anOrder = (changes: Partial<Order> = {}): Order => ({
  order_id: 12,
  buyer: 7,
  buyer_order_number: 1,
  lead_limit: 10,
  leads_received: 0,
  compensated_deletions: 0,
  reimbursement_pending: 0,
  reimbursement_delivered: 0,
  last_sequence: 0,
  reservations: {},
  replacement_reservations: {},
  token: 'A'.repeat(43),
  price_per_lead: null,
  buyer_type: 'prepay',
  max_claim_days: 7,
  min_days_for_ne: 5,
  decision_days: null,
  default_decision: 'none',
  claim_quota_percent: null,
  created_at: '2026-11-01T00:00:00.000Z',
  deleted_at: null,
  returned_to_balance: 0,
  total_claims: 0,
  pending_claims: 0,
  approved_claims: 0,
  rejected_claims: 0,
  edited_leads: 0,
  renewal: 'none',
  ...changes,
});

/** Of an order for five leads a day and nine a week. */
export function aPace(day: string, day_received: number, week_received: number) {
  const caps = { daily_cap: 5, weekly_cap: 9, ends_on: null };
  const taken = { day_from: 0, day_received, week_from: 0, week_received };
  return paceByCaps(caps, { capacity: 10 }, taken, undefined, day);
}

/** A cache that has these orders. */
export const orderCacheOf = (orders: readonly Order[]): OrderCache => ({
  all: async () => ({ orders: [...orders], comments: new Map() }),
  some: async (ids) =>
    new Map(orders.filter(({ order_id }) => ids.includes(order_id)).map((order) => [order.order_id, order])),
});
