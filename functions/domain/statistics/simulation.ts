/**
 * Simulation: distributes the recorded leads of past days again with other terms of buyers. Writes nothing.
 *
 * Candidates are the recorded ones plus buyers that were excluded only by a term that is changed. A buyer starts with the deficit
 * recorded at its first lead, so without changes the result is the real one; for bursts nearly, because some choices were drawn. Hours
 * and caps stay as they were; leads assigned by hand are left out. A changed limit is the number of these leads that a buyer can take.
 */

import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import type { Counted } from '#functions/data/statistics/statistics-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { DomainError, invalid, listedTwice } from '#functions/domain/common/errors';
import { type Candidate, chooseLargestDeficit } from '#functions/domain/distribution/share-rule';
import { addDays, berlinDay } from '#shared/rules/working-days';

export type RecordedLead = { readonly leadId: string } & NonNullable<Counted['decided']>;

/** Weights in hundredths of a percent, minimums in cents. */
export interface ChangedTerms {
  readonly weight?: number | undefined;
  readonly minimum?: number | undefined;
  readonly limit?: number | undefined;
  readonly consent?: boolean | undefined;
}

export interface SimulatedOutcome {
  readonly leads: number;
  readonly unassignedBefore: number;
  readonly unassignedAfter: number;
  readonly got: ReadonlyMap<number, number>;
  readonly wouldHaveReceived: ReadonlyMap<number, number>;
}

export interface SimulationInput {
  readonly days: number;
  readonly buyers: readonly ({ readonly buyerId: string } & ChangedTerms)[];
}

export interface Simulation extends Pick<SimulatedOutcome, 'leads' | 'unassignedBefore' | 'unassignedAfter'> {
  readonly buyers: readonly {
    readonly buyerId: string;
    readonly got: number;
    readonly wouldHaveReceived: number;
  }[];
}

/** What fits into the time and memory of a function. */
export const MAX_LEADS = 50_000;

/** @throws DomainError 404 for an unknown buyer, 400 for one named twice and for more than 50,000 leads */
export async function simulate(context: Context, input: SimulationInput): Promise<Simulation> {
  const buyers = await buyerStore.all(context);
  const byId = new Map(buyers.map((buyer) => [buyer.buyer_id, buyer]));
  const changed = new Map<number, ChangedTerms>();
  for (const { buyerId, ...terms } of input.buyers) {
    const buyer = byId.get(buyerId);
    if (buyer === undefined)
      throw new DomainError('not_found', 'buyer_not_found', `Buyer ${buyerId} not found`);
    if (changed.has(buyer.buyer)) throw listedTwice(buyerId);
    changed.set(buyer.buyer, terms);
  }
  const recorded = await recordedLeads(context, input.days);
  const byNumber = new Map(buyers.map((buyer) => [buyer.buyer, buyer]));
  const { got, wouldHaveReceived, ...counts } = simulateLeads(recorded, changed, byNumber);
  return {
    ...counts,
    buyers: buyers
      .filter(({ buyer }) => got.has(buyer) || wouldHaveReceived.has(buyer) || changed.has(buyer))
      .map(({ buyer, buyer_id }) => ({
        buyerId: buyer_id,
        got: got.get(buyer) ?? 0,
        wouldHaveReceived: wouldHaveReceived.get(buyer) ?? 0,
      })),
  };
}

async function recordedLeads(context: Context, days: number): Promise<RecordedLead[]> {
  const today = berlinDay(context.runtime.now());
  const recorded: RecordedLead[] = [];
  for (let at = days - 1; at >= 0; at -= 1) {
    const left = MAX_LEADS + 1 - recorded.length;
    const day = await statisticsStore.decidedOn(context, addDays(today, -at), left);
    for (const { leadId, counted } of day)
      if (counted.decided !== null) recorded.push({ leadId, ...counted.decided });
    if (recorded.length > MAX_LEADS)
      throw invalid('too_many_leads', `More than ${MAX_LEADS} leads. Choose fewer days`, {
        days: 'Too many leads',
      });
  }
  return recorded;
}

type Terms = Pick<Buyer, 'probability' | 'min_investment' | 'requires_consent'>;

/** @param recorded in the order of the decisions @param buyers with the unchanged terms */
export function simulateLeads(
  recorded: readonly RecordedLead[],
  changed: ReadonlyMap<number, ChangedTerms>,
  buyers: ReadonlyMap<number, Terms>,
): SimulatedOutcome {
  const deficits = new Map<number, number>();
  const got = new Map<number, number>();
  const wouldHaveReceived = new Map<number, number>();
  let unassignedBefore = 0;
  let unassignedAfter = 0;
  for (const lead of recorded) {
    if (lead.winner === null) unassignedBefore += 1;
    else add(got, lead.winner);
    for (const [buyer, , deficit] of lead.eligible) if (!deficits.has(buyer)) deficits.set(buyer, deficit);
    const candidates = candidatesOf(lead, changed, buyers, wouldHaveReceived);
    if (candidates.length === 0) {
      unassignedAfter += 1;
      continue;
    }
    const { winner, changes } = chooseLargestDeficit(lead.leadId, candidates, deficits);
    add(wouldHaveReceived, winner);
    for (const [buyer, change] of changes) deficits.set(buyer, (deficits.get(buyer) ?? 0) + change);
  }
  return { leads: recorded.length, unassignedBefore, unassignedAfter, got, wouldHaveReceived };
}

function candidatesOf(
  lead: RecordedLead,
  changed: ReadonlyMap<number, ChangedTerms>,
  buyers: ReadonlyMap<number, Terms>,
  taken: ReadonlyMap<number, number>,
): Candidate[] {
  const candidates: Candidate[] = [];
  const consider = (buyer: number, weight: number, minimum: number, consent: boolean) => {
    const limit = changed.get(buyer)?.limit;
    const hasCapacity = limit === undefined || (taken.get(buyer) ?? 0) < limit;
    const isConsented = !consent || lead.consents === true;
    if (weight > 0 && minimum <= lead.amount && hasCapacity && isConsented)
      candidates.push({ buyer, weight });
  };
  for (const [buyer, weight] of lead.eligible) {
    const its = changed.get(buyer);
    consider(buyer, its?.weight ?? weight, its?.minimum ?? 0, its?.consent ?? false);
  }
  for (const [reason, kept] of Object.entries(lead.curable)) {
    for (const buyer of kept) {
      const its = changed.get(buyer);
      if (its === undefined || !cures(reason, its)) continue;
      const known = buyers.get(buyer);
      consider(
        buyer,
        its.weight ?? known?.probability ?? 0,
        its.minimum ?? known?.min_investment ?? 0,
        its.consent ?? known?.requires_consent ?? false,
      );
    }
  }
  return candidates;
}

function cures(reason: string, changed: ChangedTerms): boolean {
  if (reason === 'limit_reached') return changed.limit !== undefined;
  if (reason === 'probability_zero') return changed.weight !== undefined;
  if (reason === 'consent_required') return changed.consent !== undefined;
  return reason === 'below_min_investment' && changed.minimum !== undefined;
}

function add(counts: Map<number, number>, buyer: number): void {
  counts.set(buyer, (counts.get(buyer) ?? 0) + 1);
}
