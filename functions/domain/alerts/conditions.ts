/** The conditions for alerts, from pool, orders, sums and the ends of lists: reads that do not grow with the number of leads. */

import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Context } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as retentionStore from '#functions/data/leads/retention-store';
import { hasCapacity, isNearlyFull, type Order } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import * as replacementStore from '#functions/data/orders/replacement-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { creditedClaims } from '#functions/domain/orders/replacement-ledger';
import { silentSources } from '#functions/domain/statistics/source-statistics';
import type { AlertKind } from '#shared/rules/constants';
import { addDays, berlinDay, workingDaysBetween } from '#shared/rules/working-days';

export interface ConditionContext extends Context {
  readonly orderCache: Pick<OrderCache, 'some'>;
}

export const WATCHED_KINDS = [
  'order_nearly_full',
  'order_full',
  'buyer_without_leads',
  'leads_waiting',
  'claims_waiting',
  'replacements_owed',
  'source_silent',
] as const satisfies readonly AlertKind[];
export type WatchedKind = (typeof WATCHED_KINDS)[number];

export const FREQUENT_KINDS: readonly WatchedKind[] = ['order_nearly_full', 'order_full', 'leads_waiting'];

type OrderFull = {
  readonly buyerId: string;
  readonly order: Pick<Order, 'order_id' | 'buyer_order_number' | 'leads_received' | 'lead_limit'>;
};

export type Found = { readonly subject: string } & (
  | ({ readonly kind: 'order_nearly_full' | 'order_full' } & OrderFull)
  | { readonly kind: 'buyer_without_leads'; readonly buyerId: string; readonly days: number }
  /**
   * @property more whether there are more than `count`
   * @property oldest when it arrived (UTC)
   */
  | {
      readonly kind: 'leads_waiting';
      readonly count: number;
      readonly more: boolean;
      readonly oldest: string;
      readonly hours: number;
    }
  /** @property oldest the Berlin day of its filing @property days its age in working days */
  | { readonly kind: 'claims_waiting'; readonly open: number; readonly oldest: string; readonly days: number }
  /** @property since when the oldest was credited (UTC) */
  | {
      readonly kind: 'replacements_owed';
      readonly buyerId: string;
      readonly owed: number;
      readonly since: string;
    }
  /** @property since its last lead, Berlin time */
  | {
      readonly kind: 'source_silent';
      readonly name: string;
      readonly since: { readonly day: string; readonly hour: number };
      readonly usual: number;
    }
);

export type Thresholds = ReadonlyMap<WatchedKind, number>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export async function findConditions(context: ConditionContext, thresholds: Thresholds): Promise<Found[]> {
  const found = await Promise.all([
    ofBuyers(context, thresholds),
    leadsWaiting(context, thresholds.get('leads_waiting')),
    claimsWaiting(context, thresholds.get('claims_waiting')),
    replacementsOwed(context, thresholds.get('replacements_owed')),
    thresholds.has('source_silent') ? silent(context) : [],
  ]);
  return found.flat();
}

async function ofBuyers(context: ConditionContext, thresholds: Thresholds): Promise<Found[]> {
  const [percent, watchesFull] = [thresholds.get('order_nearly_full'), thresholds.has('order_full')];
  const days = thresholds.get('buyer_without_leads');
  if (percent === undefined && !watchesFull && days === undefined) return [];
  const today = berlinDay(context.runtime.now());
  const { entries } = await poolStore.read(context);
  const active = entries.filter((entry) => entry.active && entry.order_id !== null);
  const [orders, range] = await Promise.all([
    context.orderCache.some(active.flatMap(({ order_id }) => order_id ?? [])),
    days === undefined ? undefined : statisticsStore.range(context, addDays(today, -days), today),
  ]);
  return active.flatMap((entry): Found[] => {
    const order = orders.get(entry.order_id ?? 0);
    if (order === undefined || order.deleted_at !== null) return [];
    const [subject, buyerId] = [String(entry.buyer), entry.buyer_id];
    const isFull = !hasCapacity(order);
    const ofOrder = { subject: String(order.order_id), buyerId, order };
    const found: Found[] = [];
    if (watchesFull && isFull) found.push({ ...ofOrder, kind: 'order_full' });
    if (percent !== undefined && isNearlyFull(order, percent))
      found.push({ ...ofOrder, kind: 'order_nearly_full' });
    if (isFull || entry.probability === 0) return found;
    if (days !== undefined && berlinDay(new Date(order.created_at)) <= addDays(today, -days)) {
      const had = [...(range ?? [])].some(([, day]) => {
        const part = day.get(entry.buyer);
        return part !== undefined && part.originals + part.reimbursements > 0;
      });
      if (!had) found.push({ kind: 'buyer_without_leads', subject, buyerId, days });
    }
    return found;
  });
}

async function leadsWaiting(context: ConditionContext, hours: number | undefined): Promise<Found[]> {
  if (hours === undefined) return [];
  const before = new Date(context.runtime.now().getTime() - hours * HOUR_MS).toISOString();
  // Nobody can do anything about a lead that waits for its person.
  let { leads, next } = await retentionStore.pending(context, '', before, 'others');
  while (leads.length === 0 && next !== undefined)
    ({ leads, next } = await retentionStore.pending(context, next, before, 'others'));
  const [first] = leads;
  if (first === undefined) return [];
  const more = next !== undefined;
  return [{ kind: 'leads_waiting', subject: '', count: leads.length, more, oldest: first.since, hours }];
}

async function claimsWaiting(context: ConditionContext, days: number | undefined): Promise<Found[]> {
  if (days === undefined) return [];
  const counts = await claimStore.counts(context, { all: true });
  const blocks = [...counts].filter(([, { pending }]) => pending > 0);
  if (blocks.length === 0) return [];
  // Claims are numbered in the order of their filing.
  const first = Math.min(...blocks.map(([block]) => block));
  const rows = await claimStore.rows(context, { all: true }, ['pending'], { blocks: { first, last: first } });
  if (rows.length === 0) return [];
  const claim = await claimStore.get(context, Math.min(...rows.map(({ claim_id }) => claim_id)));
  if (claim === undefined) return [];
  const oldest = berlinDay(new Date(claim.created_at));
  const age = workingDaysBetween(oldest, berlinDay(context.runtime.now()));
  const open = blocks.reduce((sum, [, { pending }]) => sum + pending, 0);
  return age > days ? [{ kind: 'claims_waiting', subject: '', open, oldest, days: age }] : [];
}

async function replacementsOwed(context: ConditionContext, days: number | undefined): Promise<Found[]> {
  if (days === undefined) return [];
  const before = new Date(context.runtime.now().getTime() - days * DAY_MS).toISOString();
  const [buyers, { entries }] = await Promise.all([buyerStore.all(context), poolStore.read(context)]);
  const orderOf = new Map(entries.map(({ buyer, order_id }) => [buyer, order_id]));
  const orders = await context.orderCache.some(entries.flatMap(({ order_id }) => order_id ?? []));
  const found: Found[] = [];
  for (const { buyer, buyer_id, deleted_at, balance_count } of buyers) {
    const order = orders.get(orderOf.get(buyer) ?? 0);
    const owed = balance_count + (order?.deleted_at === null ? order.reimbursement_pending : 0);
    if (deleted_at !== null || owed === 0) continue;
    const open = creditedClaims(await replacementStore.ofBuyer(context, buyer)).filter(
      ({ delivery }) => delivery === null,
    );
    const since = open.map(({ at }) => at).toSorted()[0];
    if (since !== undefined && since < before)
      found.push({ kind: 'replacements_owed', subject: String(buyer), buyerId: buyer_id, owed, since });
  }
  return found;
}

async function silent(context: ConditionContext): Promise<Found[]> {
  return (await silentSources(context)).map(({ source, last, usual }) => ({
    kind: 'source_silent',
    subject: String(source.source),
    name: source.name,
    since: last,
    usual,
  }));
}
