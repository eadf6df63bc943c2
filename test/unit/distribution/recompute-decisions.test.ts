import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision, Lead } from '#functions/data/leads/lead';
import type { Item } from '#functions/data/table/table';
import { recompute, verifyDecisions } from '#functions/domain/distribution/decision-check';
import { chooseByNeed, chooseLargestDeficit, LEAD } from '#functions/domain/distribution/share-rule';
import { aDecision, aLead } from '#test/factories/leads';

const decision = aDecision({
  lead_id: 'lead-1',
  winner: 2,
  eligible: [
    [1, 6000, -LEAD],
    [2, 4000, LEAD],
  ],
  not_eligible: { limit_reached: [3] },
});

describe('a recomputed decision', () => {
  it('has the same winner, by weights and by draw', () => {
    const eligible = fc.uniqueArray(
      fc.tuple(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: -3 * LEAD, max: 3 * LEAD }),
      ),
      { minLength: 1, maxLength: 100, selector: ([buyer]) => buyer },
    );
    fc.assert(
      fc.property(
        fc.string(),
        eligible,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (leadId, list, draw) => {
          const candidates = list.map(([buyer, weight]) => ({ buyer, weight }));
          const before = new Map(list.map(([buyer, , deficit]) => [buyer, deficit]));
          // As stored in the table, with lists as JSON text.
          const stored = (rest: Partial<Decision>): Decision =>
            JSON.parse(JSON.stringify({ ...decision, lead_id: leadId, eligible: list, ...rest }));
          const byWeights = chooseLargestDeficit(leadId, candidates, before);
          expect(recompute(stored({ winner: byWeights.winner }))).toEqual({
            agrees: true,
            choice: byWeights,
          });
          const drawn = chooseByNeed(candidates, before, draw);
          expect(recompute(stored({ mode: 'drawn', winner: drawn.winner, draw }))).toEqual({
            agrees: true,
            choice: drawn,
          });
        },
      ),
    );
  });

  it.each<[string, Partial<Decision>]>([
    ['another winner', { winner: 1 }],
    ['no winner despite eligible buyers', { winner: null }],
    ['a winner without eligible buyers', { eligible: [] }],
    [
      'another deficit',
      {
        eligible: [
          [1, 6000, LEAD],
          [2, 4000, -LEAD],
        ],
      },
    ],
    ['a draw without its number', { mode: 'drawn' }],
    ['an admin choice without a buyer', { mode: 'manual', winner: null }],
    ['a wrong earlier choice', { mode: 'manual', earlier_choice: { ...decision, winner: 1 } }],
    ['an unknown rule', { rule: 'coin-toss-1' }],
  ])('does not agree with %s', (_, change) => {
    expect(recompute({ ...decision, ...change })).toMatchObject({ agrees: false });
  });

  it('agrees with a decision without eligible buyers, and with an admin’s choice', () => {
    expect(recompute({ ...decision, winner: null, eligible: [] }).agrees).toBe(true);
    expect(recompute({ ...decision, mode: 'manual', eligible: [], winner: 7 }).agrees).toBe(true);
  });
});

describe('the verification of all decisions in a table', () => {
  const leadItem = (changes: Partial<Lead> = {}): Item => ({
    pk: 'LEAD#1',
    sk: 'LEAD',
    ...aLead({ lead_id: 'lead-1', buyer: 2, ...changes }),
  });
  const record = (changes: Partial<Decision> = {}): Item => ({
    pk: 'LEAD#1',
    sk: 'DECISION',
    ...decision,
    ...changes,
    eligible: JSON.stringify(changes.eligible ?? decision.eligible),
    not_eligible: JSON.stringify(decision.not_eligible),
  });
  async function* pages(...of: Item[][]) {
    yield* of;
  }

  it('accepts a lead that matches its decision, even on different pages', async () => {
    const agrees = { leads: 1, agree: 1, undecided: 0, disagreements: [] };
    expect(await verifyDecisions(pages([leadItem(), record()]))).toEqual(agrees);
    expect(await verifyDecisions(pages([record()], [leadItem()]))).toEqual(agrees);
  });

  it('counts leads without a decision separately', async () => {
    const held = leadItem({ status: 'pending', reason: 'email_verification_failed' });
    expect(await verifyDecisions(pages([held]))).toMatchObject({ agree: 0, undecided: 1, disagreements: [] });
  });

  it.each<[string, Item[]]>([
    ['a record that names another buyer than the rule', [leadItem(), record({ winner: 1 })]],
    ['a lead of another buyer than its record', [leadItem({ buyer: 1 }), record()]],
    ['a lead assigned by another distribution attempt', [leadItem({ distribution_attempt: 2 }), record()]],
    ['an assigned lead without a record', [leadItem()]],
    ['a record without a lead', [record()]],
    ['an unreadable record', [leadItem({ status: 'pending' }), { ...record(), eligible: 'none' }]],
    [
      'a lead held for another buyer',
      [leadItem({ status: 'pending', reason: 'manual_review', intended_buyer: 1 }), record()],
    ],
  ])('reports %s', async (_, items) => {
    const verified = await verifyDecisions(pages(items));
    expect(verified.agree).toBe(0);
    expect(verified.disagreements).toHaveLength(1);
  });
});
