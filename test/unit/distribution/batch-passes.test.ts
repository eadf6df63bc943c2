/** A batch pass chooses the same buyers as single leads would get, and can be recomputed from the stored record. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchLead } from '#functions/data/distribution/batch-store';
import {
  chooseForPass,
  passLeads,
  repeatPasses,
  type Wanting,
} from '#functions/domain/distribution/batch-passes';
import { byLargestDeficit, byNeed } from '#functions/domain/distribution/choices';
import { splitByEligibility } from '#functions/domain/distribution/eligibility';
import { chooseLargestDeficit, LEAD } from '#functions/domain/distribution/share-rule';
import { aPoolEntry } from '#test/factories/buyers';

const AT = '2026-11-20T10:00:00.000Z';

const entries = fc.array(
  fc.record({
    probability: fc.integer({ min: 0, max: 10_000 }),
    min_investment: fc.constantFrom(0, 10_000, 50_000),
    has_capacity: fc.boolean(),
    active: fc.boolean(),
    requires_consent: fc.boolean(),
    max_investment: fc.constantFrom(undefined, 60_000),
    min_term: fc.constantFrom(undefined, 24),
    max_term: fc.constantFrom(undefined, 48),
    sources_allowed: fc.constantFrom(undefined, [1]),
    sources_excluded: fc.constantFrom(undefined, [2]),
  }),
  { minLength: 1, maxLength: 8 },
);
const amounts = fc.array(fc.constantFrom(5_000, 20_000, 90_000), { minLength: 1, maxLength: 60 });
const deficits = fc.array(fc.integer({ min: -3 * LEAD, max: 3 * LEAD }), { minLength: 8, maxLength: 8 });

const world = fc.record({ entries, amounts, deficits });

function passOf(given: {
  entries: readonly object[];
  amounts: readonly number[];
  deficits: readonly number[];
}) {
  const pool = given.entries.map((changes, at) =>
    aPoolEntry({ buyer: at + 1, order_id: at + 1, ...changes }),
  );
  const leads = given.amounts.map(
    (anlagebetrag, at): BatchLead => ({
      lead_id: `lead-${at}`,
      anlagebetrag,
      laufzeit: [12, 36, 60][at % 3] ?? 0,
      source: [1, 2, undefined][at % 5],
      ...(at % 2 === 0 && { consent: [at % 4 === 0 ? 'phone' : 'email'] }),
    }),
  );
  const plan = {
    pass: 1,
    decided_at: AT,
    entries: pool,
    full: [],
    deficits: Object.fromEntries(pool.map(({ buyer }, at) => [buyer, given.deficits[at] ?? 0])),
  };
  const wanting = leads.map(
    (lead, position): Wanting => ({ ...lead, position, failed: undefined, instead: undefined }),
  );
  return { pool, leads, plan, wanting };
}

describe('a pass', () => {
  it('chooses the same buyers as for single leads, with the same ledger changes', () => {
    fc.assert(
      fc.property(world, (given) => {
        const { pool, leads, plan, wanting } = passOf(given);
        const { chosen, changes } = chooseForPass(plan, wanting, byLargestDeficit);
        const ledger = new Map(
          Object.entries(plan.deficits).map(([buyer, deficit]) => [Number(buyer), deficit]),
        );
        for (const [at, { lead_id, ...asked }] of leads.entries()) {
          const { candidates, notEligible } = splitByEligibility(pool, asked, new Date());
          expect(chosen[at]?.notEligible).toEqual(notEligible);
          if (candidates.length === 0) {
            expect(chosen[at]?.choice).toBeUndefined();
            continue;
          }
          const choice = chooseLargestDeficit(lead_id, candidates, ledger);
          expect(chosen[at]?.choice).toMatchObject(choice);
          for (const [buyer, by] of choice.changes) ledger.set(buyer, (ledger.get(buyer) ?? 0) + by);
        }
        for (const [buyer, deficit] of ledger)
          expect((plan.deficits[buyer] ?? 0) + (changes.get(buyer) ?? 0)).toBe(deficit);
      }),
      { numRuns: 100 },
    );
  });

  it('can be recomputed from its record, drawn or not, including earlier withdrawals', () => {
    fc.assert(
      fc.property(
        world,
        fc.boolean(),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (given, isDrawn, random) => {
          const { leads, plan, wanting } = passOf(given);
          const rule = isDrawn ? byNeed({ random: () => random }) : byLargestDeficit;
          const { chosen: first } = chooseForPass(plan, wanting, rule);
          const refused = first.filter(({ choice }, at) => choice !== undefined && at % 3 === 0);
          const next = {
            ...plan,
            pass: 2,
            full: refused.flatMap(({ winner }) => winner?.buyer ?? []).slice(0, 1),
          };
          const { chosen: second } = chooseForPass(
            next,
            refused.map(({ position, choice }) => ({ ...wanting[position]!, instead: choice })),
            rule,
          );
          const stored = [
            { ...plan, leads: passLeads(first) },
            { ...next, leads: passLeads(second) },
          ];
          const last = repeatPasses(leads, JSON.parse(JSON.stringify(stored)) as typeof stored);
          for (const one of first)
            expect(last.get(one.position)).toEqual(
              second.find(({ position }) => position === one.position) ?? one,
            );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('fails verification if the rule would choose differently', () => {
    const { leads, plan, wanting } = passOf({
      entries: [{ probability: 9000 }, { probability: 1000 }],
      amounts: [90_000],
      deficits: [0, 0],
    });
    const [one] = passLeads(chooseForPass(plan, wanting, byLargestDeficit).chosen);
    expect(one?.winner).toBe(1);
    expect(() => repeatPasses(leads, [{ ...plan, leads: [{ position: 0, winner: 2 }] }])).toThrow(
      /cannot be reproduced/,
    );
  });
});
