/**
 * Distributes the backlog again after the pool has gained room: pending leads that an order can cure, oldest first, by
 * the ordinary rule. Leads held by a verification or for review stay.
 */

import type { Lead } from '#functions/data/leads/lead';
import { pendingCursor } from '#functions/data/leads/lead-store';
import type { Item } from '#functions/data/table/table';
import {
  type DistributionDeps,
  distribute,
  returnToPending,
} from '#functions/domain/distribution/distribution';
import { sortOut } from '#functions/domain/distribution/eligibility';
import { REDISTRIBUTED_REASONS } from '#shared/contract/constants';

const PAGE = 100;

export interface Redistributed {
  readonly assigned: number;
  /** True when time ran out before the backlog did: the work goes on in another run. */
  readonly more: boolean;
  /** Then the last lead that was looked at, after which the other run goes on; absent when there was none. */
  readonly last?: Looked;
}

/** A lead that was looked at, by its place in the backlog. */
type Looked = Pick<Lead, 'lead_id' | 'received_at'>;

/**
 * @param deadline when to stop, so that a function is not cut off in the middle of a distribution attempt
 * @param from the last lead that an earlier run looked at: a run that began anew each time would never get beyond what
 * one run can look at
 */
export async function redistribute(
  deps: DistributionDeps,
  deadline: Date,
  from?: Looked,
): Promise<Redistributed> {
  let assigned = 0;
  let last = from;
  let after: Item | undefined = from && pendingCursor(from);
  do {
    const page = await deps.leads.pending({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const lead of page.items) {
      if (deps.runtime.now() >= deadline)
        return {
          assigned,
          more: true,
          ...(last && { last: { lead_id: last.lead_id, received_at: last.received_at } }),
        };
      last = lead;
      if (!isCurable(lead)) continue;
      const pool = await deps.pool.read();
      if (
        pool.entries.every(
          (poolEntry) => !poolEntry.has_capacity || !poolEntry.active || poolEntry.probability === 0,
        )
      )
        return { assigned, more: false };
      // A lead that nobody could take is left alone; flying it would only write it back.
      if (sortOut(pool.entries, lead.anlagebetrag, new Set()).candidates.length === 0) continue;
      const restarted = await deps.leads.restart(lead, deps.runtime.now().toISOString());
      if (restarted === undefined) continue;
      const result = await distribute(deps, restarted, pool);
      if (result.status === 'assigned') assigned += 1;
      if (result.status === 'refused') await returnToPending(deps, restarted);
    }
    after = page.next;
  } while (after !== undefined);
  return { assigned, more: false };
}

function isCurable(lead: Lead): boolean {
  return REDISTRIBUTED_REASONS.some((reason) => reason === lead.reason);
}
