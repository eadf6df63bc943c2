/** One search over buyers, orders and leads; every way to look reads a bounded number of items. */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import { displayId, type Lead } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import { type Order, orderStatus } from '#functions/data/orders/order';
import type { OrderStore } from '#functions/data/orders/order-store';
import type { StatisticsStore } from '#functions/data/statistics/statistics-store';
import { isServed } from '#functions/domain/common/rows';
import { assignmentOf } from '#functions/domain/leads/leads';
import { leadWords, searchWords } from '#functions/domain/leads/search-words';
import type { Answer } from '#shared/contract/schemas';
import { pendingReasonText } from '#shared/rules/reasons';

export interface SearchDeps {
  readonly buyers: Pick<BuyerStore, 'all' | 'getMany'>;
  readonly orders: Pick<OrderStore, 'getMany'>;
  readonly leads: Pick<LeadStore, 'get' | 'getMany' | 'ofOrderBySequence'>;
  readonly pool: Pick<PoolStore, 'read'>;
  readonly statistics: Pick<StatisticsStore, 'leadsWith'>;
}

type Result = Answer<'search'>['results'][number];

/** Of each kind. */
const MOST_RESULTS = 8;
/** Leads looked at for one search with several words. */
const MOST_CANDIDATES = 100;

/**
 * Finds buyers by part of their id or e-mail address, orders by number and by their buyer, and leads by system id, by
 * `order-lead` number and by the beginnings of names, e-mail address and phone number. Best matches first.
 */
export async function search(deps: SearchDeps, query: string): Promise<Answer<'search'>> {
  const text = query.trim();
  const [all, pool, leads] = await Promise.all([
    deps.buyers.all(),
    deps.pool.read(),
    leadsMatching(deps, text),
  ]);
  const byInternalId = new Map(all.map((buyer) => [buyer.buyer, buyer]));
  const buyers = buyersMatching(all, text);
  const poolEntries = new Map(pool.entries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
  const orders = await ordersMatching(deps, text, buyers, poolEntries);
  return {
    results: [
      ...buyers.map(buyerResult),
      ...orders.flatMap((order) =>
        orderResult(order, byInternalId.get(order.buyer), poolEntries.get(order.buyer)),
      ),
      ...leads.map((lead) => leadResult(lead, byInternalId)),
    ],
  };
}

function buyersMatching(all: readonly Buyer[], text: string): Buyer[] {
  const wanted = text.toLowerCase();
  const rank = ({ buyer_id, buyer_email }: Buyer) => {
    const id = buyer_id.toLowerCase();
    if (id === wanted) return 0;
    if (id.startsWith(wanted)) return 1;
    return buyer_email.toLowerCase().startsWith(wanted) ? 2 : 3;
  };
  return all
    .filter(
      ({ buyer_id, buyer_email, deleted_at }) =>
        deleted_at === null &&
        (buyer_id.toLowerCase().includes(wanted) || buyer_email.toLowerCase().includes(wanted)),
    )
    .sort((a, b) => rank(a) - rank(b) || a.buyer_id.localeCompare(b.buyer_id))
    .slice(0, MOST_RESULTS);
}

async function ordersMatching(
  deps: SearchDeps,
  text: string,
  buyers: readonly Buyer[],
  poolEntries: ReadonlyMap<number, PoolEntry>,
): Promise<Order[]> {
  const number = /^#?(\d{1,15})$/.exec(text)?.[1];
  const ids = [
    ...(number === undefined ? [] : [Number(number)]),
    ...buyers.flatMap(({ buyer }) => poolEntries.get(buyer)?.order_id ?? []),
  ];
  const found = await deps.orders.getMany([...new Set(ids)]);
  return found.filter((order) => order !== undefined).slice(0, MOST_RESULTS);
}

function isShown(lead: Lead | undefined): lead is Lead {
  return lead?.status === 'assigned' || lead?.status === 'pending' || lead?.status === 'received';
}

async function leadsMatching(deps: SearchDeps, text: string): Promise<Lead[]> {
  const id = text.toUpperCase();
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) return [await deps.leads.get(id)].filter(isShown);
  const assignment = /^#?(\d{1,15})-(\d{1,12})$/.exec(text);
  if (assignment !== null)
    return [await deps.leads.ofOrderBySequence(Number(assignment[1]), Number(assignment[2]))].filter(isShown);
  const words = searchWords(text);
  // The longest word finds the fewest leads.
  const first = words.toSorted((a, b) => b.length - a.length)[0];
  if (first === undefined) return [];
  const candidates = await deps.leads.getMany(
    await deps.statistics.leadsWith(first, words.length === 1 ? MOST_RESULTS : MOST_CANDIDATES),
  );
  // The index follows the leads within a second; what is shown is true now.
  return candidates
    .filter(isShown)
    .filter((lead) => words.every((word) => leadWords(lead).some((its) => its.startsWith(word))))
    .sort((a, b) => b.received_at.localeCompare(a.received_at))
    .slice(0, MOST_RESULTS);
}

function buyerResult(buyer: Buyer): Result {
  return { kind: 'buyer', id: buyer.buyer_id, title: buyer.buyer_id, subtitle: buyer.buyer_email };
}

function orderResult(order: Order, buyer: Buyer | undefined, poolEntry: PoolEntry | undefined): Result[] {
  if (buyer === undefined) return [];
  const status = orderStatus(order, isServed(poolEntry, order.order_id));
  return [
    {
      kind: 'order',
      id: String(order.order_id),
      title: `Order #${order.order_id} of ${buyer.buyer_id}`,
      subtitle: `${status}, ${order.leads_received}/${order.lead_limit} leads`,
    },
  ];
}

function leadResult(lead: Lead, buyers: ReadonlyMap<number, Buyer>): Result {
  const assignment = assignmentOf(lead);
  return {
    kind: 'lead',
    id: lead.lead_id,
    title: `${lead.vorname} ${lead.nachname}`,
    subtitle:
      assignment === undefined
        ? `Pending: ${pendingReasonText(lead.reason ?? 'no_active_order', undefined)}`
        : `${displayId(assignment)} · ${buyers.get(assignment.buyer)?.buyer_id ?? ''} · ${lead.email}`,
  };
}
