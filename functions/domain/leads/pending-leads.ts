import {
  type Buyer,
  hasOpenCapacity,
  isKnownTo,
  lacksConsent,
  misfit,
  type PoolEntry,
  pausedBy,
  pausedUntil,
} from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import { isCurable, type Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import type { Item } from '#functions/data/table/table';

export interface PendingLeadInContext {
  readonly lead: Lead;
  readonly intendedBuyer: Buyer | undefined;
  /** For a lead of the backlog: when the next buyer that wants it takes leads again. */
  readonly nextOpening: Date | undefined;
}

export async function listPending(
  context: Context,
  limit: number,
): Promise<{ leads: PendingLeadInContext[]; total: number }> {
  const [leads, total, { entries }] = await Promise.all([
    collect(context, { limit, descending: true }),
    leadLists.countPending(context),
    poolStore.read(context),
  ]);
  const openings = openingsOf(entries, context.runtime.now());
  const buyers = await intendedBuyers(context, leads);
  return {
    leads: leads.map((lead) => ({
      lead,
      intendedBuyer: lead.intended_buyer === undefined ? undefined : buyers.get(lead.intended_buyer),
      nextOpening: isCurable(lead)
        ? openings.find(
            ({ entry }) =>
              misfit(entry, lead) === undefined &&
              !lacksConsent(entry, lead) &&
              !isKnownTo(entry.buyer, lead.known_to),
          )?.opens
        : undefined,
    })),
    total,
  };
}

function openingsOf(entries: readonly PoolEntry[], at: Date): { entry: PoolEntry; opens: Date }[] {
  return entries
    .flatMap((entry) => {
      if (!hasOpenCapacity(entry) || pausedBy(entry, at) === undefined) return [];
      const opens = pausedUntil(entry, at);
      return opens === undefined ? [] : [{ entry, opens }];
    })
    .sort((one, other) => one.opens.getTime() - other.opens.getTime());
}

export async function allPending(
  context: DataContext,
): Promise<{ leads: Lead[]; buyerIds: ReadonlyMap<number, string> }> {
  const leads = await collect(context, { limit: Number.POSITIVE_INFINITY, descending: false });
  const buyers = await intendedBuyers(context, leads);
  return { leads, buyerIds: new Map([...buyers].map(([buyer, { buyer_id }]) => [buyer, buyer_id])) };
}

const intendedBuyers = (context: DataContext, leads: readonly Lead[]) =>
  buyerStore.getMany(
    context,
    leads.flatMap(({ intended_buyer }) => intended_buyer ?? []),
  );

async function collect(
  context: DataContext,
  { limit, descending }: { limit: number; descending: boolean },
): Promise<Lead[]> {
  const leads: Lead[] = [];
  let after: Item | undefined;
  do {
    const page = await leadLists.pending(context, {
      limit: Math.min(1000, limit - leads.length),
      descending,
      ...(after !== undefined && { after }),
    });
    leads.push(...page.items);
    after = page.next;
  } while (after !== undefined && leads.length < limit);
  return leads;
}
