/**
 * Takes in several leads at once, each under an id that its caller gave it: that id says whether the lead is there already.
 */
import type { Lead } from '#functions/data/leads/lead';
import { type DistributionDeps, distribute } from '#functions/domain/distribution/distribution';
import { errorFields } from '#functions/logger';

/** What became of a lead that was to be stored. */
export type StoredLead =
  | { readonly stored: true; readonly lead: Lead }
  /** An earlier call, or an earlier lead of this one, has stored a lead under this id. */
  | { readonly stored: false; readonly earlier: Lead };

export interface TakenInMany {
  /** In the order of the leads that were given. */
  readonly outcomes: readonly StoredLead[];
  /**
   * Distributes the stored leads, side by side. A lead whose distribution fails stays in flight for the reconciliation,
   * as after a crash, so this never rejects: whoever sent the leads is told that they were taken in.
   * @param admitted those of the stored leads that are to be distributed, as they are now; by default all
   */
  distribute(admitted?: readonly Lead[]): Promise<void>;
}

/**
 * Stores leads; `distribute` of the answer distributes them. A call that failed is repeated as a whole: what it had stored
 * is told by the ids.
 * @param leads received, each with an id of its own, at its first distribution attempt
 * @throws Error when the outcome of a write is unknown
 */
export async function takeInMany(deps: DistributionDeps, leads: readonly Lead[]): Promise<TakenInMany> {
  const first = new Map(leads.toReversed().map((lead) => [lead.lead_id, lead]));
  const before = new Map(
    await Promise.all(
      [...first.values()].map(async (lead) => [lead.lead_id, await deps.leads.receive(lead)] as const),
    ),
  );
  const outcomes = leads.map((lead): StoredLead => {
    const earlier = before.get(lead.lead_id) ?? first.get(lead.lead_id);
    return earlier === undefined || earlier === lead ? { stored: true, lead } : { stored: false, earlier };
  });
  return {
    outcomes,
    distribute: async (admitted = outcomes.flatMap((one) => (one.stored ? [one.lead] : []))) => {
      await distributeSideBySide(deps, admitted);
    },
  };
}

async function distributeSideBySide(deps: DistributionDeps, leads: readonly Lead[]): Promise<void> {
  if (leads.length === 0) return;
  const pool = deps.pool.read();
  const ends = await Promise.allSettled(leads.map(async (lead) => distribute(deps, lead, await pool)));
  for (const [at, end] of ends.entries())
    if (end.status === 'rejected')
      deps.runtime.log.error('distribution_left_in_flight', {
        lead: leads[at]?.lead_id,
        ...errorFields(end.reason),
      });
}
