/** The pending leads, as listed for admins. */

import type { Buyer } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { Lead } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import type { Item } from '#functions/data/table/table';

interface Deps {
  readonly leads: LeadStore;
  readonly buyers: BuyerStore;
}

export interface PendingLeadInContext {
  readonly lead: Lead;
  /** The buyer intended for a lead under manual review. */
  readonly intendedBuyer: Buyer | undefined;
}

/** The newest first. @param limit how many at most; `total` counts all */
export async function listPending(
  deps: Deps,
  limit: number,
): Promise<{ leads: PendingLeadInContext[]; total: number }> {
  const [leads, total] = await Promise.all([
    collect(deps, { limit, descending: true }),
    deps.leads.countPending(),
  ]);
  const intended = [
    ...new Set(leads.flatMap(({ intended_buyer }) => (intended_buyer === undefined ? [] : [intended_buyer]))),
  ];
  const buyers = new Map((await deps.buyers.getMany(intended)).map((buyer) => [buyer?.buyer, buyer]));
  return {
    leads: leads.map((lead) => ({ lead, intendedBuyer: buyers.get(lead.intended_buyer) })),
    total,
  };
}

/** Every one, the oldest first, with the ids of the intended buyers. */
export async function allPending(
  deps: Deps,
): Promise<{ leads: Lead[]; buyerIds: ReadonlyMap<number, string> }> {
  const leads = await collect(deps, { limit: Number.POSITIVE_INFINITY, descending: false });
  const intended = [
    ...new Set(leads.flatMap(({ intended_buyer }) => (intended_buyer === undefined ? [] : [intended_buyer]))),
  ];
  const buyers = await deps.buyers.getMany(intended);
  return {
    leads,
    buyerIds: new Map(buyers.flatMap((buyer) => (buyer ? [[buyer.buyer, buyer.buyer_id] as const] : []))),
  };
}

async function collect(
  deps: Deps,
  { limit, descending }: { limit: number; descending: boolean },
): Promise<Lead[]> {
  const leads: Lead[] = [];
  let after: Item | undefined;
  do {
    const page = await deps.leads.pending({
      limit: Math.min(1000, limit - leads.length),
      descending,
      ...(after !== undefined && { after }),
    });
    leads.push(...page.items);
    after = page.next;
  } while (after !== undefined && leads.length < limit);
  return leads;
}
