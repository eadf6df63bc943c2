import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim } from '#functions/data/claims/claim';
import type { Decision, Lead } from '#functions/data/leads/lead';
import { leadWords } from '#functions/data/leads/search-index';
import { buyerDays, EMPTY_BUYER_DAY, NOTHING_COUNTED } from '#functions/data/statistics/statistics-store';
import { nameOf } from '#functions/data/statistics/sums';
import { chooseLargestDeficit, LEAD, RULE } from '#functions/domain/distribution/share-rule';
import { type RecordedLead, simulateLeads } from '#functions/domain/statistics/simulation';
import { addTo, type Changes, toCount } from '#functions/domain/statistics/statistics';
import { changedLead } from '#functions/workers/statistics/changes';
import { CLAIM_STATUSES, type ClaimStatus } from '#shared/rules/constants';
import { aBuyer } from '#test/factories/buyers';
import { aDecision, aLead } from '#test/factories/leads';

const lead = (changes: Partial<Lead> = {}) =>
  aLead({
    vorname: 'Max',
    nachname: 'Weiß',
    email: 'max@example.org',
    telefon: '0170 1234567',
    received_at: '2026-10-25T00:00:00Z',
    buyer: 1,
    order_id: 1,
    sequence: 1,
    assigned_at: '2026-10-24T22:30:00Z',
    ...changes,
  });
const decision = (changes: Partial<Decision> = {}) =>
  aDecision({ decided_at: '2026-10-24T21:59:00Z', ...changes });

const dayOf = (changes: Changes, day: string) => buyerDays(changes.get(nameOf.day(day)) ?? new Map());
const totalsOf = (changes: Changes) => Object.fromEntries(changes.get(nameOf.totals()) ?? []);

const aClaim = (claim_status: ClaimStatus, buyer: number) =>
  ({ claim_id: 1, lead_id: 'x', claim_status, buyer, created_at: '2026-10-31T23:30:00Z' }) as Claim;

describe('counting a lead', () => {
  it('counts its claim on the day of filing in Berlin, even after the lead is deleted', () => {
    const changes: Changes = new Map();
    for (const [claim_status, status] of [
      ['pending', 'assigned'],
      ['approved', 'deleted'],
      ['rejected', 'assigned'],
    ] as const)
      addTo(changes, toCount(lead({ status }), undefined, 250, { claim: aClaim(claim_status, 2) }), 1);
    expect(dayOf(changes, '2026-11-01').get(2)).toEqual({
      ...EMPTY_BUYER_DAY,
      claims: 3,
      approved: 1,
      rejected: 1,
    });
  });

  it('counts buyers that missed it by a full order, a minimum or its person, and its price', () => {
    const changes: Changes = new Map();
    const not_eligible = {
      limit_reached: [3],
      below_min_investment: [4, 5],
      already_received: [8],
      inactive: [6],
      no_open_order: [7],
    };
    addTo(changes, toCount(lead(), decision({ not_eligible }), 250), 1);
    addTo(
      changes,
      toCount(lead({ status: 'pending' }), decision({ not_eligible, winner: null, eligible: [] }), null),
      1,
    );
    const day = dayOf(changes, '2026-10-24');
    expect(day.get(3)).toEqual({ ...EMPTY_BUYER_DAY, limit_reached: 2 });
    expect(day.get(4)).toEqual({ ...EMPTY_BUYER_DAY, below_minimum: 2 });
    expect(day.get(8)).toEqual({ ...EMPTY_BUYER_DAY, missed: { already_received: 2 } });
    expect([6, 7].map((buyer) => day.get(buyer))).toEqual([undefined, undefined]);
    expect(dayOf(changes, '2026-10-25').get(1)?.prices).toEqual({ 250: 1 });
  });

  it('counts it on the day of its delivery in Berlin, and its share on the day of the decision', () => {
    const changes: Changes = new Map();
    addTo(changes, toCount(lead(), decision(), 250), 1);
    expect(dayOf(changes, '2026-10-25').get(1)).toMatchObject({
      originals: 1,
      by_hand: 0,
      wanted: 0,
      got: 0,
    });
    expect(dayOf(changes, '2026-10-24').get(1)).toMatchObject({
      originals: 0,
      wanted: (LEAD / 3) * 2,
      got: 1,
    });
    expect(dayOf(changes, '2026-10-24').get(2)).toMatchObject({ wanted: LEAD / 3, got: 0 });
    expect(totalsOf(changes)).toEqual({ assigned: 1, revenue: 250, priced: 1 });
  });

  it('counts only the share after it is deleted', () => {
    const counted = toCount(lead({ status: 'deleted' }), decision(), 250);
    expect(counted).toMatchObject({ state: null, assignment: null });
    // The person may still request its data.
    expect(counted.words.length).toBeGreaterThan(0);
    expect(counted.decided?.winner).toBe(1);
  });

  it('counts no share when an admin assigned it, and no revenue for a replacement or without a price', () => {
    const byHand = toCount(lead(), decision({ mode: 'manual', eligible: [] }), null);
    expect(byHand.decided).toBeNull();
    expect(byHand.assignment?.by_hand).toBe(true);
    const changes: Changes = new Map();
    addTo(changes, toCount(lead({ lead_type: 'reimbursement' }), undefined, 250), 1);
    addTo(changes, byHand, 1);
    expect(totalsOf(changes)).toEqual({ assigned: 2 });
    expect(dayOf(changes, '2026-10-25').get(1)?.prices).toEqual({});
  });

  it('counts nothing for a missing lead or one in flight', () => {
    expect(toCount(undefined, decision(), 1)).toEqual(NOTHING_COUNTED);
    expect(toCount(lead({ status: 'received' }), undefined, 1)).toMatchObject({
      state: null,
      assignment: null,
      words: [],
    });
  });

  it.each<[Lead['status'], boolean]>([
    ['assigned', true],
    ['pending', true],
    ['deleted', true],
    ['discarded', false],
    ['duplicate', false],
  ])('has search words for a lead that is %s: %s', (status, isFound) => {
    const one = lead({ status });
    expect(toCount(one, undefined, null).words).toEqual(isFound ? leadWords(one) : []);
  });

  it('can always be reversed', () => {
    const any = fc.record({
      status: fc.constantFrom<Lead['status'][]>('assigned', 'pending', 'discarded', 'deleted', 'received'),
      buyer: fc.integer({ min: 1, max: 4 }),
      weights: fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 6 }),
      price: fc.option(fc.integer({ min: 0, max: 99_999 })),
      claim: fc.option(fc.constantFrom(...CLAIM_STATUSES)),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (cases) => {
        const changes: Changes = new Map();
        const counted = cases.map(({ status, buyer, weights, price, claim }) =>
          toCount(
            lead({ status, buyer }),
            decision({
              winner: 1,
              eligible: weights.map((weight, at) => [at + 1, weight, 0]),
              not_eligible: { limit_reached: [7, 8], below_min_investment: [9], inactive: [10] },
            }),
            price,
            claim === null ? {} : { claim: aClaim(claim, buyer) },
          ),
        );
        for (const one of counted) addTo(changes, one, 1);
        for (const one of counted.toReversed()) addTo(changes, one, -1);
        for (const sums of changes.values()) expect(sums).toEqual(new Map());
      }),
    );
  });
});

const record = (before: object | undefined, after: object | undefined) =>
  ({
    dynamodb: {
      ...(before && { OldImage: marshall(before, { removeUndefinedValues: true }) }),
      ...(after && { NewImage: marshall(after, { removeUndefinedValues: true }) }),
    },
  }) as DynamoDBRecord;
const item = (changes: Partial<Lead> = {}) => ({ pk: 'LEAD#1', sk: 'LEAD', ...lead(changes) });

describe('stream records of statistics', () => {
  it('include every change of status or name, every decision and every removed lead', () => {
    expect(changedLead(record(item({ status: 'received' }), item()))).toBe(lead().lead_id);
    expect(changedLead(record(item(), item({ nachname: 'Neu' })))).toBe(lead().lead_id);
    expect(changedLead(record(undefined, { sk: 'DECISION', lead_id: 'x' }))).toBe('x');
    expect(changedLead(record(item(), undefined))).toBe(lead().lead_id);
  });

  it('include no other records', () => {
    expect(changedLead(record(undefined, item({ status: 'received' })))).toBeUndefined();
    expect(changedLead(record(item(), item({ claim_reason: 'Doppelter Lead' })))).toBeUndefined();
    expect(changedLead(record(undefined, { sk: 'COUNTED', lead_id: 'x' }))).toBeUndefined();
    expect(changedLead(record(undefined, { sk: 'DELIVERY#email', lead_id: 'x' }))).toBeUndefined();
  });
});

const TERM = 36;
const SOURCE = 3;

/** Leads decided sequentially, as distribution records them. */
const recordedBy = (
  weights: readonly number[],
  minimums: readonly number[],
  amounts: readonly number[],
): RecordedLead[] => {
  const deficits = new Map<number, number>();
  return amounts.map((amount, at) => {
    const leadId = `lead-${at}`;
    const candidates = weights.flatMap((weight, buyer) =>
      (minimums[buyer] ?? 0) <= amount ? [{ buyer, weight }] : [],
    );
    const eligible = candidates.map(({ buyer, weight }): [number, number, number] => [
      buyer,
      weight,
      deficits.get(buyer) ?? 0,
    ]);
    const curable = {
      below_min_investment: weights.flatMap((_, buyer) => ((minimums[buyer] ?? 0) > amount ? [buyer] : [])),
    };
    const common = {
      leadId,
      rule: RULE,
      mode: 'weights' as const,
      eligible,
      at: '',
      day: '',
      amount,
      term: TERM,
      source: SOURCE,
      curable,
    };
    if (candidates.length === 0) return { ...common, winner: null };
    const { winner, changes } = chooseLargestDeficit(leadId, candidates, deficits);
    for (const [buyer, change] of changes) deficits.set(buyer, (deficits.get(buyer) ?? 0) + change);
    return { ...common, winner };
  });
};

describe('the simulation of decided leads', () => {
  const nobody = new Map<number, never>();

  it('without changes reproduces the decisions, from any lead on', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 60 }),
        fc.nat(20),
        (weights, minimums, amounts, from) => {
          const recorded = recordedBy(weights, minimums, amounts).slice(from);
          const replay = simulateLeads(recorded, new Map(), nobody);
          expect(replay.wouldHaveReceived).toEqual(replay.got);
          expect(replay.unassignedAfter).toBe(replay.unassignedBefore);
          expect(replay.suitable).toEqual(replay.sold);
        },
      ),
    );
  });

  it('admits buyers that only a minimum, a weight, a limit or a missing consent excluded', () => {
    const [first] = recordedBy([5000, 5000], [0, 50], [10]);
    const kept = (reason: string): RecordedLead[] => [
      { ...first!, eligible: [], winner: null, curable: { [reason]: [1] } },
    ];
    const buyers = new Map([[1, aBuyer({ probability: 5000 })]]);
    const after = (reason: string, terms: object) =>
      simulateLeads(kept(reason), new Map([[1, terms]]), buyers).wouldHaveReceived.get(1) ?? 0;
    expect(after('below_min_investment', { minimum: 10 })).toBe(1);
    expect(after('below_min_investment', { minimum: 11 })).toBe(0);
    expect(after('below_min_investment', { limit: 5 })).toBe(0);
    expect(after('probability_zero', { weight: 100 })).toBe(1);
    expect(after('limit_reached', { limit: 1 })).toBe(1);
    expect(after('limit_reached', { limit: 0 })).toBe(0);
    expect(after('limit_reached', { weight: 100 })).toBe(0);
    expect(after('consent_required', { consent: false })).toBe(1);
    expect(after('consent_required', { consent: true })).toBe(0);
    expect(after('consent_required', { weight: 100 })).toBe(0);
    expect(after('above_max_investment', { maximum: 10 })).toBe(1);
    expect(after('above_max_investment', { maximum: null })).toBe(1);
    expect(after('above_max_investment', { maximum: 9 })).toBe(0);
    expect(after('above_max_investment', { minimum: 0 })).toBe(0);
    expect(after('outside_term', { minTerm: TERM, maxTerm: TERM })).toBe(1);
    expect(after('outside_term', { minTerm: null })).toBe(1);
    expect(after('outside_term', { minTerm: TERM + 1 })).toBe(0);
    expect(after('outside_term', { maxTerm: TERM - 1 })).toBe(0);
    expect(after('source_excluded', { allowed: [], excluded: [] })).toBe(1);
    expect(after('source_excluded', { allowed: [SOURCE] })).toBe(1);
    expect(after('source_excluded', { excluded: [SOURCE] })).toBe(0);
    expect(after('source_excluded', { minTerm: null })).toBe(0);
    buyers.set(1, { ...buyers.get(1)!, sources_excluded: [SOURCE] });
    expect(after('limit_reached', { limit: 1 })).toBe(0);
    expect(after('limit_reached', { limit: 1, excluded: [] })).toBe(1);
    buyers.set(1, { ...buyers.get(1)!, sources_excluded: [] });
    buyers.set(1, { ...buyers.get(1)!, max_term: TERM - 1 });
    expect(after('limit_reached', { limit: 1 })).toBe(0);
    buyers.set(1, { ...buyers.get(1)!, max_term: null });
    buyers.set(1, { ...buyers.get(1)!, requires_consent: true });
    expect(after('limit_reached', { limit: 1 })).toBe(0);
  });

  it('excludes a buyer from the leads of a source that it now excludes or does not allow', () => {
    const recorded = recordedBy([5000, 5000], [0, 0], [1, 2, 3, 4]);
    const got = (terms: object, of = recorded) =>
      simulateLeads(of, new Map([[1, terms]]), new Map()).wouldHaveReceived.get(1) ?? 0;
    expect(got({ excluded: [SOURCE + 1] })).toBe(2);
    expect(got({ excluded: [SOURCE] })).toBe(0);
    expect(got({ allowed: [SOURCE + 1] })).toBe(0);
    const withoutSource = recorded.map((one) => ({ ...one, source: undefined }));
    expect(got({ excluded: [SOURCE] }, withoutSource)).toBe(2);
    expect(got({ allowed: [SOURCE] }, withoutSource)).toBe(0);
  });

  it('excludes a buyer that now requires consent from leads whose person does not consent to calls', () => {
    const consented = [undefined, ['email'], ['email', 'phone']] as const;
    const recorded = consented.map(
      (consent, number): RecordedLead => ({
        leadId: String(number),
        ...toCount(
          lead({ consent: consent && [...consent] }),
          decision({ winner: 1, eligible: [[1, 5000, 0]] }),
          null,
        ).decided!,
      }),
    );
    const got = (terms: object) => {
      const { unassignedAfter, wouldHaveReceived } = simulateLeads(
        recorded,
        new Map([[1, terms]]),
        new Map(),
      );
      return [wouldHaveReceived.get(1), unassignedAfter];
    };
    expect(got({})).toEqual([3, 0]);
    expect(got({ consent: false })).toEqual([3, 0]);
    expect(got({ consent: true })).toEqual([1, 2]);
  });

  it('gives the leads of an excluded source to others, and sums the claims and revenue of those that fit', () => {
    const both: RecordedLead['eligible'] = [
      [1, 9000, 0],
      [2, 1000, 0],
    ];
    const sold = (buyer: number, revenue: number, claimed = false) => ({ sold: { buyer, revenue, claimed } });
    const known = {
      rule: RULE,
      mode: 'weights',
      at: '',
      day: '',
      amount: 1,
      term: TERM,
      curable: {},
    } as const;
    const recorded: RecordedLead[] = [
      { ...known, leadId: 'a', source: 7, eligible: both, winner: 1, ...sold(1, 4500, true) },
      { ...known, leadId: 'b', source: 8, eligible: both, winner: 1, ...sold(1, 4000, true) },
      { ...known, leadId: 'c', eligible: [[2, 1000, 0]], winner: 2, ...sold(2, 6000) },
      { ...known, leadId: 'd', source: 7, eligible: [[1, 9000, 0]], winner: 1, ...sold(1, 0) },
      { ...known, leadId: 'e', source: 8, eligible: both, winner: 2, ...sold(2, 6100, true) },
      // Reassigned after a refusal, so its claim and price belong to another buyer.
      { ...known, leadId: 'f', source: 8, eligible: [[1, 9000, 0]], winner: 1, ...sold(2, 5900, true) },
      { ...known, leadId: 'g', source: 7, eligible: [], winner: null },
    ];
    for (const terms of [{ excluded: [7] }, { allowed: [8] }]) {
      const replay = simulateLeads(recorded, new Map([[1, terms]]), new Map());
      expect(Object.fromEntries(replay.got)).toEqual({ 1: 4, 2: 2 });
      expect(Object.fromEntries(replay.wouldHaveReceived)).toEqual({ 1: 3, 2: 2 });
      expect([replay.unassignedBefore, replay.unassignedAfter]).toEqual([1, 2]);
      expect(Object.fromEntries(replay.sold)).toEqual({
        1: { leads: 4, claims: 2, revenue: 8500 },
        2: { leads: 2, claims: 1, revenue: 12_100 },
      });
      expect(Object.fromEntries(replay.suitable)).toEqual({
        1: { leads: 2, claims: 1, revenue: 4000 },
        2: { leads: 2, claims: 1, revenue: 12_100 },
      });
    }
  });
});
