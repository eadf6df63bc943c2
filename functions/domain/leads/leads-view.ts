/** What the holder of a link sees: one order and its leads, nothing else. */

import { type Buyer, isServed } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import type { ListViewStore } from '#functions/data/orders/list-view-store';
import { type Order, orderStatus } from '#functions/data/orders/order';
import type { OrderStore } from '#functions/data/orders/order-store';
import { notFound } from '#functions/domain/common/errors';
import { assignmentOf } from '#functions/domain/leads/leads';
import { errorFields } from '#functions/logger';
import type { Runtime } from '#functions/runtime';
import type { OrderStatus } from '#shared/contract/constants';

interface Deps {
  readonly leads: LeadStore;
  readonly orders: OrderStore;
  readonly buyers: BuyerStore;
  readonly listViews: ListViewStore;
  readonly pool: Pick<PoolStore, 'entry'>;
  readonly runtime: Runtime;
}

/** A lead with its assignment. */
export interface AssignedLead {
  readonly lead: Lead;
  readonly assignment: NonNullable<ReturnType<typeof assignmentOf>>;
}

export interface LeadsView {
  readonly order: Order;
  readonly buyer: Buyer;
  readonly status: OrderStatus;
  readonly comments: string;
  /** The newest first. */
  readonly leads: readonly AssignedLead[];
}

/** @throws DomainError 404 for a token that is unknown or was replaced */
export async function orderOfToken(deps: Pick<Deps, 'orders'>, token: string): Promise<Order> {
  const order = await deps.orders.byToken(token);
  if (order === undefined) throw notFound('Link');
  return order;
}

/** How long the response waits for the list view to be recorded. */
const MAX_RECORDING_WAIT_MS = 300;

/**
 * The list of an order. Leads that the buyer had not seen are recorded as a list view.
 * @param admin whether the request has an admin session; then nothing is recorded
 * @throws DomainError 404 for a token that is unknown or was replaced
 */
export async function viewLeads(deps: Deps, token: string, admin: boolean): Promise<LeadsView> {
  const order = await orderOfToken(deps, token);
  const [buyer, poolEntry, leads, comments, seenUpTo] = await Promise.all([
    deps.buyers.get(order.buyer),
    deps.pool.entry(order.buyer),
    deps.leads.ofOrder(order.order_id, order.last_sequence),
    deps.orders.comments([order.order_id]),
    admin ? undefined : tolerated(deps, deps.listViews.seenUpTo(order.order_id)),
  ]);
  if (buyer === undefined) throw notFound('Link');
  const assigned = leads
    .flatMap((lead) => {
      const assignment = assignmentOf(lead);
      return assignment === undefined ? [] : [{ lead, assignment }];
    })
    .reverse();
  if (!admin) await recordListView(deps, order.order_id, assigned, seenUpTo);
  return {
    order,
    buyer,
    status: orderStatus(order, isServed(poolEntry, order.order_id)),
    comments: comments.get(order.order_id) ?? '',
    leads: assigned,
  };
}

/** Neither a failure nor a slow write affects the response: the next request records it. */
async function recordListView(
  deps: Deps,
  orderId: number,
  leads: readonly AssignedLead[],
  seenUpTo: string | undefined | typeof UNKNOWN,
): Promise<void> {
  if (seenUpTo === UNKNOWN) return;
  const newest = leads.reduce(
    (latest, { assignment: { assigned_at } }) => (assigned_at > latest ? assigned_at : latest),
    '',
  );
  if (newest <= (seenUpTo ?? '')) return;
  const recorded = deps.listViews.opened(orderId, newest, deps.runtime.now().toISOString());
  await Promise.race([tolerated(deps, recorded), deps.runtime.sleep(MAX_RECORDING_WAIT_MS)]);
}

const UNKNOWN = Symbol('could not be read');

async function tolerated<T>(deps: Deps, work: Promise<T>): Promise<T | typeof UNKNOWN> {
  try {
    return await work;
  } catch (error) {
    deps.runtime.log.warn('list views could not be read or recorded', errorFields(error));
    return UNKNOWN;
  }
}
