/**
 * Distributes the backlog again after the pool has gained room: pending leads that an order can cure, oldest first, by
 * the ordinary rule. Leads held by a verification or for review stay.
 */

import type { Lead } from '#functions/data/entities/lead';
import type { Item } from '#functions/data/table';
import { type DistributionDeps, fly, parkAsBefore } from '#functions/domain/distribution';
import { sortOut } from '#functions/domain/eligibility';
import { REFILL_REASONS } from '#shared/contract/constants';

const PAGE = 100;

export interface Refilled {
  readonly assigned: number;
  /** True when time ran out before the backlog did: the work goes on in another run. */
  readonly more: boolean;
}

/** @param deadline when to stop, so that a function is not cut off in the middle of a flight */
export async function refill(deps: DistributionDeps, deadline: Date): Promise<Refilled> {
  let assigned = 0;
  let after: Item | undefined;
  do {
    const page = await deps.leads.pending({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const lead of page.items) {
      if (!isCurable(lead)) continue;
      if (deps.runtime.now() >= deadline) return { assigned, more: true };
      const pool = await deps.pool.read();
      if (pool.slots.every((slot) => !slot.has_room || !slot.active || slot.probability === 0))
        return { assigned, more: false };
      // A lead that nobody could take is left alone; flying it would only write it back.
      if (sortOut(pool.slots, lead.anlagebetrag, new Set()).candidates.length === 0) continue;
      const launched = await deps.leads.launch(lead, deps.runtime.now().toISOString());
      if (launched === undefined) continue;
      const landed = await fly(deps, launched, pool);
      if (landed.status === 'assigned') assigned += 1;
      if (landed.status === 'refused') await parkAsBefore(deps, launched);
    }
    after = page.next;
  } while (after !== undefined);
  return { assigned, more: false };
}

function isCurable(lead: Lead): boolean {
  return REFILL_REASONS.some((reason) => reason === lead.reason);
}
