/** The delivery log as admins read it, and "send again". */

import type { Buyer } from '#functions/data/buyers/buyer';
import type { DeliveryRepository } from '#functions/data/deliveries/delivery-store';
import type { Delivery } from '#functions/data/leads/lead';
import { writeCursor } from '#functions/data/table/cursor';
import type { Item, Table } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict, invalid, notFound } from '#functions/domain/common/errors';
import { pageStart } from '#functions/domain/common/page-start';
import type { Runtime } from '#functions/runtime';
import type { Channel } from '#shared/channels/channels';
import type { DeliveryStatus } from '#shared/rules/constants';

export interface DeliveryLogDeps {
  readonly deliveries: DeliveryRepository;
  readonly buyers: {
    byId(buyerId: string): Promise<Buyer | undefined>;
    getMany(buyers: readonly number[]): Promise<(Buyer | undefined)[]>;
  };
  readonly table: Pick<Table, 'put'>;
  readonly runtime: Runtime;
}

export interface DeliveryQuery {
  readonly buyerId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** What admins call the buyers, by internal id. */
  readonly buyerIds: ReadonlyMap<number, string>;
  readonly nextCursor: string | null;
  /** Failed deliveries of all buyers. */
  readonly failedCount: number;
}

type Listed = { readonly deliveries: readonly Delivery[]; readonly next: Item | undefined };

/**
 * A page of a buyer's deliveries, newest first; or, without a buyer, of the failed ones of all buyers followed by those
 * waiting for another delivery attempt.
 * @throws DomainError 404 for an unknown buyer, 400 for a cursor of another list
 */
export async function listDeliveries(deps: DeliveryLogDeps, query: DeliveryQuery): Promise<DeliveryPage> {
  const buyer = query.buyerId === undefined ? undefined : await requireBuyer(deps, query.buyerId);
  const scope = `${buyer?.buyer ?? ''}/${query.status ?? ''}`;
  const after = pageStart(query.cursor, scope);
  const [page, failedCount] = await Promise.all([
    buyer === undefined
      ? ofAllBuyers(deps, query.status, query.limit, after)
      : ofBuyer(deps, buyer.buyer, query.status, query.limit, after),
    deps.deliveries.failedCount(),
  ]);
  const numbers = [...new Set(page.deliveries.map((delivery) => delivery.buyer))];
  const buyers = await deps.buyers.getMany(numbers);
  return {
    deliveries: page.deliveries,
    buyerIds: new Map(numbers.map((number, at) => [number, buyers[at]?.buyer_id ?? ''])),
    nextCursor: page.next === undefined ? null : writeCursor(page.next, scope),
    failedCount,
  };
}

/** A status filter makes pages shorter, so several are read to fill one, but no more than this. */
const MAX_PAGES_READ = 20;

async function ofBuyer(
  deps: DeliveryLogDeps,
  buyer: number,
  status: DeliveryStatus | undefined,
  limit: number,
  after: Item | undefined,
): Promise<Listed> {
  const deliveries: Delivery[] = [];
  let next = after;
  for (let pages = 0; pages < MAX_PAGES_READ; pages += 1) {
    const page = await deps.deliveries.ofBuyer(buyer, {
      status,
      limit: limit - deliveries.length,
      after: next,
    });
    deliveries.push(...page.deliveries);
    next = page.next;
    if (next === undefined || deliveries.length >= limit) break;
  }
  return { deliveries, next };
}

async function ofAllBuyers(
  deps: DeliveryLogDeps,
  status: DeliveryStatus | undefined,
  limit: number,
  after: Item | undefined,
): Promise<Listed> {
  if (status === 'delivered' || status === 'pending')
    throw invalid('buyer_required', 'Please choose a buyer to see these deliveries', {
      buyer_id: 'Required',
    });
  if (status !== undefined) return deps.deliveries.waiting(status, { limit, after });
  return deps.deliveries.failedThenWaiting({ limit, after });
}

/** Starts a new round of a delivery. @throws DomainError 404, 409 while it is pending or an attempt is under way */
export async function resend(
  deps: DeliveryLogDeps,
  who: string,
  leadId: string,
  channel: Channel,
): Promise<void> {
  const result = await deps.deliveries.sendAgain(leadId, channel, deps.runtime.now());
  if (!result.ok && result.delivery === undefined) throw notFound('Delivery');
  if (!result.ok) throw conflict('already_on_its_way', 'This delivery is already on its way');
  await deps.table.put(
    auditEntry(deps, { who, action: `sent_again_${channel}`, entity: 'lead', entityId: leadId }),
  );
}

/** Deliveries sent again concurrently. */
const MAX_CONCURRENT = 10;

/** Sends every failed delivery of a buyer again. @returns how many there were @throws DomainError 404 */
export async function resendFailed(deps: DeliveryLogDeps, who: string, buyerId: string): Promise<number> {
  const buyer = await requireBuyer(deps, buyerId);
  const failed = await deps.deliveries.failedOf(buyer.buyer);
  let count = 0;
  for (let start = 0; start < failed.length; start += MAX_CONCURRENT) {
    const results = await Promise.all(
      failed
        .slice(start, start + MAX_CONCURRENT)
        .map(({ lead_id, channel }) => deps.deliveries.sendAgain(lead_id, channel, deps.runtime.now())),
    );
    count += results.filter(({ ok }) => ok).length;
  }
  if (count > 0)
    await deps.table.put(
      auditEntry(deps, {
        who,
        action: 'sent_failed_again',
        entity: 'buyer',
        entityId: buyer.buyer,
        label: buyer.buyer_id,
        after: { deliveries: count },
      }),
    );
  return count;
}

/** @throws DomainError 404 */
export async function requireBuyer(deps: Pick<DeliveryLogDeps, 'buyers'>, buyerId: string): Promise<Buyer> {
  const buyer = await deps.buyers.byId(buyerId);
  if (buyer === undefined) throw notFound('Buyer');
  return buyer;
}
