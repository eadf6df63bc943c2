/** Predicts the outcome of leads posted now, in this order. Writes nothing. */

import type { Pool } from '#functions/data/distribution/pool-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { heldFor, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as personFingerprintStore from '#functions/data/leads/person-fingerprint-store';
import { windowStart } from '#functions/data/leads/person-fingerprint-store';
import { capacityOf, paceAt } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { paceCapacity } from '#functions/data/orders/pace';
import type { Refusal } from '#functions/data/orders/reservation-store';
import type { Source } from '#functions/data/sources/source';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { isWithdrawn, marksOf } from '#functions/domain/distribution/do-not-contact';
import { pendingReason, splitByEligibility } from '#functions/domain/distribution/eligibility';
import { chooseLargestDeficit, figuresByBuyer } from '#functions/domain/distribution/share-rule';
import { verify } from '#functions/domain/distribution/verification';
import type { PendingReason } from '#shared/rules/constants';

export type PredictedOutcome =
  | { readonly status: 'assigned'; readonly buyer_id: string }
  | { readonly status: 'pending'; readonly reason: PendingReason }
  | { readonly status: 'duplicate' | 'withdrawn' }
  | { readonly status: 'known' };

export interface DryRun {
  readonly deficits: Readonly<Record<string, number>>;
  readonly taken: Readonly<Record<string, number>>;
}

export async function dryRun(
  context: DistributionContext,
  source: Pick<Source, 'source' | 'window_days'>,
  posted: readonly { readonly lead: Lead; readonly given: string | undefined }[],
  before?: DryRun,
): Promise<{ readonly results: readonly PredictedOutcome[]; readonly after: DryRun }> {
  const at = context.runtime.now();
  const leads = posted.map(({ lead }) => lead);
  const pool = await poolStore.read(context);
  const [left, stored, marks, checked] = await Promise.all([
    capacities(context, pool, at),
    leadStore.ofEach(context, leads),
    marksOf(context, leads),
    mapConcurrently(leads, async (lead) => ({
      lead,
      isDuplicate: await cameBefore(context, source, lead),
      ...(await verify(context.checks, pool.switches, lead, context.mustBeCertain, at)),
    })),
  ]);
  const withdrawn = await Promise.all(
    posted.map(({ lead, given }, index) => isWithdrawn(context, lead, marks[index]?.withdrawnAt, given)),
  );
  const taken = figuresByBuyer(before?.taken ?? {});
  const deficits = figuresByBuyer(before?.deficits ?? pool.ledger.deficits);
  const fingerprints = new Set<string>();
  const results = checked.map(({ lead, isDuplicate, reason }, index): PredictedOutcome => {
    if (stored[index] !== undefined) return { status: 'known' };
    if (withdrawn[index]) return { status: 'withdrawn' };
    const again =
      source.window_days > 0 &&
      lead.fingerprints?.some((fingerprint) => fingerprints.has(fingerprint)) === true;
    for (const fingerprint of lead.fingerprints ?? []) fingerprints.add(fingerprint);
    if (isDuplicate || again) return { status: 'duplicate' };
    const held = heldFor(lead);
    if (held !== undefined) return { status: 'pending', reason: held };
    if (reason !== undefined) return { status: 'pending', reason };
    const refused = new Map(
      [...left].flatMap(([buyer, { capacity, paceLeft }]): [number, Refusal][] => {
        const more = taken.get(buyer) ?? 0;
        if (capacity <= more) return [[buyer, 'limit_reached']];
        return paceLeft <= more ? [[buyer, 'daily_cap_reached']] : [];
      }),
    );
    const asked = { ...lead, known_to: [...(marks[index]?.known ?? [])] };
    const { candidates, notEligible } = splitByEligibility(pool.entries, asked, at, { refused });
    if (candidates.length === 0) return { status: 'pending', reason: pendingReason(notEligible) };
    const { winner, changes } = chooseLargestDeficit(lead.lead_id, candidates, deficits);
    for (const [buyer, by] of changes) deficits.set(buyer, (deficits.get(buyer) ?? 0) + by);
    const entry = pool.entries.find(({ buyer }) => buyer === winner);
    if (entry === undefined || entry.manual_review) return { status: 'pending', reason: 'manual_review' };
    taken.set(winner, (taken.get(winner) ?? 0) + 1);
    return { status: 'assigned', buyer_id: entry.buyer_id };
  });
  return {
    results,
    after: { deficits: Object.fromEntries(deficits), taken: Object.fromEntries(taken) },
  };
}

async function capacities(
  context: DistributionContext,
  { entries }: Pool,
  at: Date,
): Promise<Map<number, { readonly capacity: number; readonly paceLeft: number }>> {
  const served = entries.flatMap(({ buyer, active, order_id, schedule }) =>
    active && order_id !== null ? [{ buyer, order_id, schedule }] : [],
  );
  const orders = await orderStore.ofEach(context, served);
  return new Map(
    served.map(({ buyer, schedule }, index) => {
      const order = orders[index];
      return [
        buyer,
        order === undefined
          ? { capacity: 0, paceLeft: 0 }
          : { capacity: capacityOf(order), paceLeft: paceCapacity(paceAt(order, schedule, at)) },
      ];
    }),
  );
}

async function cameBefore(
  context: DistributionContext,
  source: Pick<Source, 'source' | 'window_days'>,
  lead: Lead,
): Promise<boolean> {
  if (source.window_days === 0) return false;
  const fingerprints = await Promise.all(
    (lead.fingerprints ?? []).map((hash) => personFingerprintStore.get(context, hash)),
  );
  const start = windowStart(lead, source.window_days);
  return fingerprints.some((fingerprint) =>
    fingerprint?.leads.some((one) => one.source === source.source && one.received_at > start),
  );
}
