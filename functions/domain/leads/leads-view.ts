/** What the holder of a link sees: one order and its leads, nothing else. */

import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import { displayId, type Lead } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import type { ListViewStore } from '#functions/data/orders/list-view-store';
import { type Order, orderStatus } from '#functions/data/orders/order';
import type { OrderStore } from '#functions/data/orders/order-store';
import { notFound } from '#functions/domain/common/errors';
import { isServed, personRow } from '#functions/domain/common/rows';
import { assignmentOf } from '#functions/domain/leads/leads';
import { errorFields } from '#functions/logger';
import type { Runtime } from '#functions/runtime';
import type { Answer } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { reasonText } from '#shared/rules/claims';
import { formatDateTime } from '#shared/rules/formats';

interface Deps {
  readonly leads: LeadStore;
  readonly orders: OrderStore;
  readonly buyers: BuyerStore;
  readonly listViews: ListViewStore;
  readonly pool: Pick<PoolStore, 'entry'>;
  readonly runtime: Runtime;
}

/** @throws DomainError 404 for a token that is unknown or was replaced */
export async function orderOfToken(deps: Pick<Deps, 'orders'>, token: string): Promise<Order> {
  const order = await deps.orders.byToken(token);
  if (order === undefined) throw notFound('Link');
  return order;
}

/** Milliseconds that the page waits for its opening to be recorded. */
const PATIENCE = 300;

/**
 * What is new to a visitor is recorded as seen; to an admin nothing is.
 * @param admin whether the page is looked at with an admin session
 * @throws DomainError 404 for a token that is unknown or was replaced
 */
export async function viewLeads(deps: Deps, token: string, admin: boolean): Promise<Answer<'viewLeads'>> {
  const order = await orderOfToken(deps, token);
  const [buyer, poolEntry, leads, comments, seenUpTo] = await Promise.all([
    deps.buyers.get(order.buyer),
    deps.pool.entry(order.buyer),
    deps.leads.ofOrder(order.order_id, order.last_sequence),
    deps.orders.comments([order.order_id]),
    admin ? undefined : tolerated(deps, deps.listViews.seenUpTo(order.order_id)),
  ]);
  if (buyer === undefined) throw notFound('Link');
  const viewed = leads.flatMap((lead) => viewedLead(lead, order)).reverse();
  if (!admin) await recordListView(deps, order.order_id, viewed, seenUpTo);
  return {
    order: {
      order_id: order.order_id,
      buyer_id: buyer.buyer_id,
      buyer_order_number: order.buyer_order_number,
      lead_limit: order.lead_limit,
      leads_received: order.leads_received,
      status: orderStatus(order, isServed(poolEntry, order.order_id)),
      order_created_at: order.created_at,
      comments: comments.get(order.order_id) ?? '',
      max_claim_days: order.max_claim_days,
      min_days_for_ne: order.min_days_for_ne,
      buyer_type: order.buyer_type,
    },
    leads: {
      original: viewed.filter(({ lead_type }) => lead_type === 'original'),
      reimbursement: viewed.filter(({ lead_type }) => lead_type === 'reimbursement'),
    },
    summary: {
      pending_reimbursements: order.reimbursement_pending,
      delivered_reimbursements: order.reimbursement_delivered,
      last_lead_at: viewed[0]?.delivered_at ?? null,
    },
    admin,
    now: deps.runtime.now().toISOString(),
  };
}

/** Neither a failure nor a slow write is the visitor's business: the next look at the list tries again. */
async function recordListView(
  deps: Deps,
  orderId: number,
  viewed: readonly ViewedLead[],
  seenUpTo: string | undefined | typeof UNKNOWN,
): Promise<void> {
  if (seenUpTo === UNKNOWN) return;
  const newest = viewed.reduce(
    (latest, { delivered_at }) => (delivered_at > latest ? delivered_at : latest),
    '',
  );
  if (newest <= (seenUpTo ?? '')) return;
  const recorded = deps.listViews.opened(orderId, newest, deps.runtime.now().toISOString());
  await Promise.race([tolerated(deps, recorded), deps.runtime.sleep(PATIENCE)]);
}

const UNKNOWN = Symbol('could not be read');

async function tolerated<T>(deps: Deps, work: Promise<T>): Promise<T | typeof UNKNOWN> {
  try {
    return await work;
  } catch (error) {
    deps.runtime.log.warn('The opening of a list was not recorded', errorFields(error));
    return UNKNOWN;
  }
}

function viewedLead(lead: Lead, order: Order): ViewedLead[] {
  const assignment = assignmentOf(lead);
  if (assignment === undefined) return [];
  const at = formatDateTime(new Date(assignment.assigned_at));
  return [
    {
      lead_id: lead.lead_id,
      display_id: displayId(assignment),
      ...personRow(lead),
      delivery_timestamp: at,
      delivery_timestamp_formatted: at,
      delivered_at: assignment.assigned_at,
      lead_type: assignment.lead_type,
      claim_status: lead.claim_status ?? null,
      claim_id: lead.claim_id ?? null,
      claim_reason:
        lead.claim_reason === undefined ? null : reasonText(lead.claim_reason, order.min_days_for_ne),
    },
  ];
}
