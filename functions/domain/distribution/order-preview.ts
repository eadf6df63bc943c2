/** What an order would take of the backlog at once: a dry run of the redistribution in memory. Writes nothing. */

import { type PoolEntry, pausedBy, takesLeads } from '#functions/data/buyers/buyer';
import type { Context } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import { isCurable } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import { capacityOf, paceAt } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import { type Caps, NO_CAPS, paceByCaps, paceCapacity } from '#functions/data/orders/pace';
import type { Refusal } from '#functions/data/orders/reservation-store';
import type { Item } from '#functions/data/table/table';
import { notFound } from '#functions/domain/common/errors';
import { knownNow } from '#functions/domain/distribution/do-not-contact';
import { refusersOf, splitByEligibility } from '#functions/domain/distribution/eligibility';
import { buyersOfOthers, buyersWithPerson } from '#functions/domain/distribution/same-person';
import { chooseLargestDeficit, figuresByBuyer } from '#functions/domain/distribution/share-rule';
import { checkCaps } from '#functions/domain/orders/caps';
import { berlinDay } from '#shared/rules/working-days';

const PAGE_SIZE = 100;
export const MAX_EXAMINED_LEADS = 1000;

const NEW_ORDER = 0;

interface OwnContext extends Context {
  readonly orderCache: Pick<OrderCache, 'some'>;
}

/** @throws DomainError 404 for an unknown or deleted buyer, 400 for an invalid end date */
export async function previewOrder(
  context: OwnContext,
  order: {
    readonly buyerId: string;
    readonly leadLimit: number;
    readonly balance: number;
    readonly caps?: Caps | undefined;
  },
) {
  const at = context.runtime.now();
  checkCaps(order.caps ?? NO_CAPS, at);
  const pool = await poolStore.read(context);
  const found = pool.entries.find(({ buyer_id }) => buyer_id === order.buyerId);
  if (found === undefined) throw notFound('Buyer');
  const { capped_until: _until, capped_by: _by, ...rest } = found;
  const own: PoolEntry = { ...rest, active: true, order_id: NEW_ORDER, has_capacity: true };
  const others = pool.entries.filter(({ buyer }) => buyer !== own.buyer);
  const entries = new Map([own, ...others].map((entry) => [entry.buyer, entry]));
  const capacities = await capacitiesOf(context, others, at);
  const capacity = order.leadLimit + order.balance;
  const pace = paceByCaps(order.caps ?? NO_CAPS, { capacity }, NOTHING_RECEIVED, own.schedule, berlinDay(at));
  capacities.set(own.buyer, pausedBy(own, at) === undefined ? Math.min(capacity, paceCapacity(pace)) : 0);
  const full = new Map<number, Refusal>(
    [...entries.keys()].flatMap((buyer) =>
      (capacities.get(buyer) ?? 0) > 0 ? [] : [[buyer, 'limit_reached']],
    ),
  );
  const deficits = figuresByBuyer(pool.ledger.deficits);

  let [taken, reviews, examined] = [0, 0, 0];
  const preview = (more: boolean) => {
    const replacements = Math.min(taken, order.balance);
    return { originals: taken - replacements, replacements, reviews, more };
  };
  const buyers = new Map<string, number>();
  let after: Item | undefined;
  do {
    const page = await leadLists.pending(context, { limit: PAGE_SIZE, ...(after && { after }) });
    const curable = page.items.filter(isCurable);
    const [theirs, known] = await Promise.all([buyersOfOthers(context, curable), knownNow(context, curable)]);
    for (const [lead, buyer] of theirs) buyers.set(lead, buyer);
    const knownTo = new Map(curable.map(({ lead_id }, at) => [lead_id, known[at]]));
    for (const lead of page.items) {
      if (full.has(own.buyer)) return preview(false);
      if (examined === MAX_EXAMINED_LEADS) return preview(true);
      examined += 1;
      if (!isCurable(lead)) continue;
      const { candidates } = splitByEligibility(
        [...entries.values()],
        { ...lead, ...knownTo.get(lead.lead_id) },
        at,
        {
          refused: full,
          received: buyersWithPerson(lead, buyers),
          refusers: refusersOf(lead),
        },
      );
      if (candidates.length === 0) continue;
      const { winner, changes } = chooseLargestDeficit(lead.lead_id, candidates, deficits);
      for (const [buyer, change] of changes) deficits.set(buyer, (deficits.get(buyer) ?? 0) + change);
      const isOwn = winner === own.buyer;
      if (entries.get(winner)?.manual_review === true) {
        if (isOwn) reviews += 1;
        continue;
      }
      buyers.set(lead.lead_id, winner);
      const left = (capacities.get(winner) ?? 0) - 1;
      capacities.set(winner, left);
      if (left <= 0) full.set(winner, 'limit_reached');
      if (isOwn) taken += 1;
    }
    after = page.next;
  } while (after !== undefined);
  return preview(false);
}

const NOTHING_RECEIVED = { day_from: 0, day_received: 0, week_from: 0, week_received: 0 };

async function capacitiesOf(
  { orderCache }: OwnContext,
  entries: readonly PoolEntry[],
  at: Date,
): Promise<Map<number, number>> {
  const takers = entries.filter((entry) => takesLeads(entry, at));
  const orders = await orderCache.some(takers.flatMap(({ order_id }) => order_id ?? []));
  return new Map(
    takers.flatMap(({ buyer, order_id, schedule }) => {
      const order = order_id === null ? undefined : orders.get(order_id);
      const capacity =
        order === undefined ? 0 : Math.min(capacityOf(order), paceCapacity(paceAt(order, schedule, at)));
      return capacity > 0 ? [[buyer, capacity] as const] : [];
    }),
  );
}
