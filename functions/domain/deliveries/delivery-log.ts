import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import type { Delivery } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { writeCursor } from '#functions/data/table/cursor';
import type { Item } from '#functions/data/table/table';
import { aboutBuyer, aboutLead, auditEntry } from '#functions/domain/common/audit';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { conflict, invalid, notFound } from '#functions/domain/common/errors';
import { pageStart } from '#functions/domain/common/page-start';
import type { Channel } from '#shared/channels/channels';
import type { DeliveryStatus } from '#shared/rules/constants';

export interface DeliveryQuery {
  readonly buyerId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type Listed = { readonly deliveries: readonly Delivery[]; readonly next: Item | undefined };

/** Without a buyer: failed deliveries of all buyers, then those waiting. @throws DomainError 404, 400 for a cursor of another list */
export async function listDeliveries(context: Context, query: DeliveryQuery) {
  const buyer = query.buyerId === undefined ? undefined : await requireBuyer(context, query.buyerId);
  const scope = `${buyer?.buyer ?? ''}/${query.status ?? ''}`;
  const after = pageStart(query.cursor, scope);
  const [page, failedCount] = await Promise.all([
    buyer === undefined
      ? ofAllBuyers(context, query.status, query.limit, after)
      : ofBuyer(context, buyer.buyer, query.status, query.limit, after),
    deliveryStore.failedCount(context),
  ]);
  const buyers = await buyerStore.ofEach(context, page.deliveries);
  return {
    deliveries: page.deliveries,
    buyerIds: new Map([...buyers].map(([number, { buyer_id }]) => [number, buyer_id])),
    nextCursor: page.next === undefined ? null : writeCursor(page.next, scope),
    failedCount,
  };
}

const MAX_PAGES_READ = 20;

async function ofBuyer(
  context: Context,
  buyer: number,
  status: DeliveryStatus | undefined,
  limit: number,
  after: Item | undefined,
): Promise<Listed> {
  const deliveries: Delivery[] = [];
  let next = after;
  for (let pages = 0; pages < MAX_PAGES_READ; pages += 1) {
    const left = limit - deliveries.length;
    const page = await deliveryStore.ofBuyer(context, buyer, { status, limit: left, after: next });
    deliveries.push(...page.deliveries);
    next = page.next;
    if (next === undefined || deliveries.length >= limit) break;
  }
  return { deliveries, next };
}

async function ofAllBuyers(
  context: Context,
  status: DeliveryStatus | undefined,
  limit: number,
  after: Item | undefined,
): Promise<Listed> {
  if (status === 'delivered' || status === 'pending')
    throw invalid('buyer_required', 'Please choose a buyer to see these deliveries', {
      buyer_id: 'Required',
    });
  if (status !== undefined) return deliveryStore.waiting(context, status, { limit, after });
  return deliveryStore.failedThenWaiting(context, { limit, after });
}

/** Starts a new series of a delivery. @throws DomainError 404; 409 while it is in progress, or for a withdrawn consent */
export async function resend(context: Context, who: string, leadId: string, channel: Channel): Promise<void> {
  const lead = await leadStore.get(context, leadId);
  if (lead?.withdrawn_at !== undefined)
    throw conflict('consent_withdrawn', 'The person withdrew the consent, so nothing more is sent');
  const result = await deliveryStore.sendAgain(context, leadId, channel, context.runtime.now());
  if (!result.ok && result.delivery === undefined) throw notFound('Delivery');
  if (!result.ok) throw conflict('already_on_its_way', 'This delivery is already in progress');
  await context.table.put(
    auditEntry(context, { who, action: `sent_again_${channel}`, ...aboutLead(leadId) }),
  );
}

const MAX_CONCURRENT = 10;

export async function resendFailed(context: Context, who: string, buyerId: string): Promise<number> {
  const buyer = await requireBuyer(context, buyerId);
  const failed = await deliveryStore.failedOf(context, buyer.buyer);
  const results = await mapConcurrently(
    failed,
    ({ lead_id, channel }) => deliveryStore.sendAgain(context, lead_id, channel, context.runtime.now()),
    MAX_CONCURRENT,
  );
  const count = results.filter(({ ok }) => ok).length;
  const after = { deliveries: count };
  if (count > 0)
    await context.table.put(
      auditEntry(context, { who, action: 'sent_failed_again', ...aboutBuyer(buyer), after }),
    );
  return count;
}

export async function requireBuyer(context: DataContext, buyerId: string): Promise<Buyer> {
  const buyer = await buyerStore.byId(context, buyerId);
  if (buyer === undefined) throw notFound('Buyer');
  return buyer;
}
