/**
 * Simulation: distributes the recorded leads of past days again with other terms of buyers. Writes nothing.
 *
 * Candidates are the recorded ones plus buyers that were excluded only by a term that is changed. A buyer starts with the deficit
 * recorded at its first lead, so without changes the result is the real one; for bursts nearly, because some choices were drawn. Hours
 * and caps stay as they were; leads assigned by hand are left out. A changed limit is the number of these leads that a buyer can take.
 */

import { type Buyer, misfit } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import type { Counted } from '#functions/data/statistics/statistics-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { DomainError, invalid, listedTwice } from '#functions/domain/common/errors';
import { type Candidate, chooseLargestDeficit } from '#functions/domain/distribution/share-rule';
import { addDays, berlinDay } from '#shared/rules/working-days';

export type RecordedLead = {
  readonly leadId: string;
  readonly source?: number | undefined;
  readonly sold?: Sold | undefined;
} & NonNullable<Counted['decided']>;

interface Sold {
  readonly buyer: number;
  /** Cents. */
  readonly revenue: number;
  readonly claimed: boolean;
}

/** Weights in hundredths of a percent, minimums in cents. */
export interface ChangedTerms {
  readonly weight?: number | undefined;
  readonly minimum?: number | undefined;
  /** Null: any. */
  readonly maximum?: number | null | undefined;
  readonly minTerm?: number | null | undefined;
  readonly maxTerm?: number | null | undefined;
  /** Sources; none: any. */
  readonly allowed?: readonly number[] | undefined;
  readonly excluded?: readonly number[] | undefined;
  readonly limit?: number | undefined;
  readonly consent?: boolean | undefined;
}

export interface SimulatedOutcome {
  readonly leads: number;
  readonly unassignedBefore: number;
  readonly unassignedAfter: number;
  readonly got: ReadonlyMap<number, number>;
  readonly wouldHaveReceived: ReadonlyMap<number, number>;
  readonly sold: ReadonlyMap<number, Sales>;
  /** Of the leads that the buyer could still receive. */
  readonly suitable: ReadonlyMap<number, Sales>;
}

/** Revenue in cents. */
interface Sales {
  readonly leads: number;
  readonly claims: number;
  readonly revenue: number;
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
    readonly claims: number;
    /** This and the revenue are those of the leads it could still receive, scaled to the number of leads. */
    readonly simulatedClaims: number;
    /** Cents. */
    readonly revenue: number;
    readonly simulatedRevenue: number;
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
  const { got, wouldHaveReceived, sold, suitable, ...counts } = simulateLeads(recorded, changed, byNumber);
  return {
    ...counts,
    buyers: buyers
      .filter(({ buyer }) => got.has(buyer) || wouldHaveReceived.has(buyer) || changed.has(buyer))
      .map(({ buyer, buyer_id, price_per_lead }) => {
        const { claims, revenue } = sold.get(buyer) ?? NO_SALES;
        const received = wouldHaveReceived.get(buyer) ?? 0;
        const usual = suitable.get(buyer) ?? { leads: 1, claims: 0, revenue: price_per_lead ?? 0 };
        return {
          buyerId: buyer_id,
          got: got.get(buyer) ?? 0,
          wouldHaveReceived: received,
          claims,
          simulatedClaims: Math.round((usual.claims / usual.leads) * received),
          revenue,
          simulatedRevenue: Math.round((usual.revenue / usual.leads) * received),
        };
      }),
  };
}

async function recordedLeads(context: Context, days: number): Promise<RecordedLead[]> {
  const today = berlinDay(context.runtime.now());
  const recorded: RecordedLead[] = [];
  for (let at = days - 1; at >= 0; at -= 1) {
    const left = MAX_LEADS + 1 - recorded.length;
    const day = await statisticsStore.decidedOn(context, addDays(today, -at), left);
    for (const { leadId, counted } of day)
      if (counted.decided !== null)
        recorded.push({ leadId, source: counted.came?.source, sold: soldOf(counted), ...counted.decided });
    if (recorded.length > MAX_LEADS)
      throw invalid('too_many_leads', `More than ${MAX_LEADS} leads. Choose fewer days`, {
        days: 'Too many leads',
      });
  }
  return recorded;
}

function soldOf({ assignment, claim }: Counted): Sold | undefined {
  if (assignment === null) return undefined;
  const { buyer, type, price } = assignment;
  // Replacements are not billed.
  return { buyer, revenue: type === 'original' ? (price ?? 0) : 0, claimed: claim?.buyer === buyer };
}

type Terms = Pick<
  Buyer,
  | 'probability'
  | 'min_investment'
  | 'max_investment'
  | 'min_term'
  | 'max_term'
  | 'sources_allowed'
  | 'sources_excluded'
  | 'requires_consent'
>;

/** @param recorded in the order of the decisions @param buyers with the unchanged terms */
export function simulateLeads(
  recorded: readonly RecordedLead[],
  changed: ReadonlyMap<number, ChangedTerms>,
  buyers: ReadonlyMap<number, Terms>,
): SimulatedOutcome {
  const deficits = new Map<number, number>();
  const got = new Map<number, number>();
  const wouldHaveReceived = new Map<number, number>();
  const sold = new Map<number, Sales>();
  const suitable = new Map<number, Sales>();
  let unassignedBefore = 0;
  let unassignedAfter = 0;
  for (const lead of recorded) {
    if (lead.winner === null) unassignedBefore += 1;
    else {
      add(got, lead.winner);
      sell(sold, lead.winner, lead.sold);
    }
    for (const [buyer, , deficit] of lead.eligible) if (!deficits.has(buyer)) deficits.set(buyer, deficit);
    const candidates = candidatesOf(lead, changed, buyers, wouldHaveReceived);
    const stays = candidates.find(({ buyer }) => buyer === lead.winner);
    if (stays) sell(suitable, stays.buyer, lead.sold);
    if (candidates.length === 0) {
      unassignedAfter += 1;
      continue;
    }
    const { winner, changes } = chooseLargestDeficit(lead.leadId, candidates, deficits);
    add(wouldHaveReceived, winner);
    for (const [buyer, change] of changes) deficits.set(buyer, (deficits.get(buyer) ?? 0) + change);
  }
  return {
    leads: recorded.length,
    unassignedBefore,
    unassignedAfter,
    got,
    wouldHaveReceived,
    sold,
    suitable,
  };
}

function candidatesOf(
  lead: RecordedLead,
  changed: ReadonlyMap<number, ChangedTerms>,
  buyers: ReadonlyMap<number, Terms>,
  taken: ReadonlyMap<number, number>,
): Candidate[] {
  const candidates: Candidate[] = [];
  const consider = (buyer: number, before: Partial<Terms>, weight: number) => {
    const its = changed.get(buyer);
    const hasCapacity = its?.limit === undefined || (taken.get(buyer) ?? 0) < its.limit;
    const isConsented = !(its?.consent ?? before.requires_consent) || lead.consents === true;
    if (weight > 0 && hasCapacity && isConsented && isWanted(lead, before, its))
      candidates.push({ buyer, weight });
  };
  for (const [buyer, weight] of lead.eligible) consider(buyer, {}, changed.get(buyer)?.weight ?? weight);
  for (const [reason, kept] of Object.entries(lead.curable)) {
    for (const buyer of kept) {
      const its = changed.get(buyer);
      if (its === undefined || !cures(reason, its)) continue;
      const known: Partial<Terms> = buyers.get(buyer) ?? {};
      consider(buyer, known, its.weight ?? known.probability ?? 0);
    }
  }
  return candidates;
}

function isWanted(
  { amount, term, source }: RecordedLead,
  before: Partial<Terms>,
  its: ChangedTerms = {},
): boolean {
  const min_investment = its.minimum ?? before.min_investment ?? 0;
  const max_investment = chosen(its.maximum, before.max_investment);
  const [min_term, max_term] = [chosen(its.minTerm, before.min_term), chosen(its.maxTerm, before.max_term)];
  const terms = term === undefined ? {} : { min_term, max_term };
  const sources_allowed = listed(its.allowed ?? before.sources_allowed);
  const sources_excluded = listed(its.excluded ?? before.sources_excluded);
  const wanted = { min_investment, max_investment, ...terms, sources_allowed, sources_excluded };
  return misfit(wanted, { anlagebetrag: amount, laufzeit: term ?? 0, source }) === undefined;
}

/** Undefined: any. */
const listed = (sources: readonly number[] = []) => (sources.length > 0 ? [...sources] : undefined);

/** Undefined: any. */
const chosen = (changed: number | null | undefined, before: number | null | undefined) =>
  (changed === undefined ? before : changed) ?? undefined;

function cures(reason: string, changed: ChangedTerms): boolean {
  if (reason === 'limit_reached') return changed.limit !== undefined;
  if (reason === 'probability_zero') return changed.weight !== undefined;
  if (reason === 'consent_required') return changed.consent !== undefined;
  if (reason === 'above_max_investment') return changed.maximum !== undefined;
  if (reason === 'outside_term') return changed.minTerm !== undefined || changed.maxTerm !== undefined;
  if (reason === 'source_excluded') return (changed.allowed ?? changed.excluded) !== undefined;
  return reason === 'below_min_investment' && changed.minimum !== undefined;
}

const NO_SALES: Sales = { leads: 0, claims: 0, revenue: 0 };

/** A lead that was reassigned after the decision has only been got. */
function sell(sales: Map<number, Sales>, buyer: number, sold: Sold | undefined): void {
  const { leads, claims, revenue } = sales.get(buyer) ?? NO_SALES;
  const its = sold?.buyer === buyer ? sold : undefined;
  sales.set(buyer, {
    leads: leads + 1,
    claims: claims + (its?.claimed === true ? 1 : 0),
    revenue: revenue + (its?.revenue ?? 0),
  });
}

function add(counts: Map<number, number>, buyer: number): void {
  counts.set(buyer, (counts.get(buyer) ?? 0) + 1);
}
