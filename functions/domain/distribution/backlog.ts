import { takesLeads } from '#functions/data/buyers/buyer';
import type { Pool } from '#functions/data/distribution/pool-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { isCurable, type Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import { pendingCursor } from '#functions/data/leads/lead-lists';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Item } from '#functions/data/table/table';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { asRecorded } from '#functions/domain/distribution/consent';
import { distribute } from '#functions/domain/distribution/distribution';
import { knownNow } from '#functions/domain/distribution/do-not-contact';
import { pendingReason, refusersOf, splitByEligibility } from '#functions/domain/distribution/eligibility';
import { buyersOfOthers, buyersWithPerson } from '#functions/domain/distribution/same-person';

const PAGE_SIZE = 100;

type Position = Pick<Lead, 'lead_id' | 'received_at'>;
const positionOf = ({ lead_id, received_at }: Position): Position => ({ lead_id, received_at });

/** @param deadline before the function's timeout @param from the last lead of an earlier run */
export async function redistribute(context: DistributionContext, deadline: Date, from?: Position) {
  let assigned = 0;
  let last = from;
  let after: Item | undefined = from && pendingCursor(from);
  do {
    const page = await leadLists.pending(context, { limit: PAGE_SIZE, ...(after && { after }) });
    let pool = await poolStore.read(context);
    if (!takesAny(pool, context.runtime.now())) return { assigned, more: false };
    const curable = page.items.filter(isCurable);
    const [others, known] = await Promise.all([buyersOfOthers(context, curable), knownNow(context, curable)]);
    for (const [index, stored] of curable.entries()) {
      const lead = { ...stored, ...known[index] };
      const at = context.runtime.now();
      if (at >= deadline) return { assigned, more: true, ...(last && { last: positionOf(last) }) };
      last = lead;
      const received = buyersWithPerson(lead, others);
      if (!isWorthAnAttempt(pool, lead, at, received)) continue;
      pool = await poolStore.read(context);
      if (!takesAny(pool, at)) return { assigned, more: false };
      if (!isWorthAnAttempt(pool, lead, at, received)) continue;
      const restarted = await leadStore.restart(context, stored, at.toISOString(), known[index]);
      if (restarted === undefined) continue;
      const result = await distribute(context, await asRecorded(context, restarted), pool);
      if (result.status === 'assigned') assigned += 1;
    }
    after = page.next;
  } while (after !== undefined);
  return { assigned, more: false };
}

const takesAny = ({ entries }: Pool, at: Date): boolean => entries.some((entry) => takesLeads(entry, at));

/** Without a candidate, an attempt would only update the pending reason. That is done if the remaining buyers already have or know the person. */
function isWorthAnAttempt({ entries }: Pool, lead: Lead, at: Date, received: ReadonlySet<number>): boolean {
  const { candidates, notEligible } = splitByEligibility(entries, lead, at, {
    received,
    refusers: refusersOf(lead),
  });
  if (candidates.length > 0) return true;
  const isPersons = (notEligible.already_received ?? notEligible.already_known) !== undefined;
  return isPersons && pendingReason(notEligible) !== lead.reason;
}
