/** Predicted and real outcome of leads, on the in-memory table. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as doNotContactStore from '#functions/data/leads/do-not-contact-store';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import type { DryRun } from '#functions/domain/sources/dry-run';
import { ingestPosted, postedLead, tryPosted } from '#functions/domain/sources/intake';
import { A_CONSENT } from '#test/factories/consents';
import { aPerson } from '#test/factories/people';
import { aSource } from '#test/factories/sources';
import { addBuyers, itemsOf, quietRuntime } from '#test/harness/distribution';
import { addSources, fingerprintsOf, intakeOn } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

const DAY_MS = 86_400_000;

/** Three buyers: one with a small order, one with a minimum of 10,000 euro, one with manual review. */
async function threeBuyers(source = {}) {
  const table = memoryTable();
  await addBuyers(table, [
    { id: 'small', probability: 40, limit: 2 },
    { id: 'choosy', probability: 30, limit: 4, minimum: 10_000 },
    { id: 'careful', probability: 20, limit: 9, review: true },
  ]);
  const [one = aSource()] = await addSources(table, 1, source);
  return { table, deps: intakeOn(table), source: one };
}

let counter = 0;
const posted = (changes: { telefon?: string; email?: string; anlagebetrag?: number } = {}) => {
  counter += 1;
  const external_id = `row-${counter}`;
  return { external_id, content: external_id, person: aPerson({ telefon: `+4930${counter}`, ...changes }) };
};

describe('a dry run', () => {
  it('predicts the outcome, in one call or several, and writes nothing', async () => {
    const lead = fc.record({
      anlagebetrag: fc.constantFrom(500_000, 1_000_000, 2_000_000),
      person: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(lead, { minLength: 6, maxLength: 12 }),
        fc.nat(12),
        fc.constantFrom(0, 30),
        async (wanted, cut, window_days) => {
          const { table, deps, source } = await threeBuyers({ window_days });
          // A call knows the persons of its own leads, but not of an earlier dry run, which stores nothing.
          const rows = wanted.map(({ person, ...one }, at) =>
            posted({ ...one, telefon: `+491${at < cut ? 1 : 2}${person}` }),
          );
          const before = JSON.stringify(await itemsOf(table));
          const first = await tryPosted(deps, source, rows.slice(0, cut));
          const next: DryRun = JSON.parse(JSON.stringify(first.after));
          const rest = await tryPosted(deps, source, rows.slice(cut), next);
          expect(JSON.stringify(await itemsOf(table))).toBe(before);
          const said = [...first.results, ...rest.results].map((one) => {
            if (one.status === 'assigned') return one.buyer_id;
            return one.status === 'pending' ? one.reason : one.status;
          });
          const happened: unknown[] = [];
          for (const row of rows) {
            await ingestPosted(deps, source, [row], 0);
            const { status, buyer, reason } = await postedLead(deps, source, row.external_id);
            happened.push(buyer === undefined ? (reason ?? status) : ['', 'small', 'choosy'][buyer]);
          }
          expect(said).toEqual(happened);
          const again = await tryPosted(deps, source, rows);
          expect(again.results.map(({ status }) => status)).toEqual(rows.map(() => 'known'));
        },
      ),
      { numRuns: 8 },
    );
  });

  it('recognizes only persons from this source within the window, by phone or e-mail', async () => {
    const { table, deps, source } = await threeBuyers({ window_days: 2 });
    const other = aSource({ source: 2 });
    const earlier = posted();
    await ingestPosted(deps, source, [earlier], 0);
    await ingestPosted(deps, other, [posted({ telefon: '+49777' }), posted(earlier.person)], 0);
    const rows = [
      posted({ telefon: earlier.person.telefon }),
      posted({ email: earlier.person.email }),
      posted({ telefon: '+49777' }),
      posted(),
    ];
    const saidAfter = async (days: number) => {
      const now = () => new Date(quietRuntime.now().getTime() + days * DAY_MS);
      const { results } = await tryPosted(intakeOn(table, { ...quietRuntime, now }), source, rows);
      return results.map(({ status }) => status === 'duplicate');
    };
    expect(await saidAfter(1)).toEqual([true, true, false, false]);
    expect(await saidAfter(3)).toEqual([false, false, false, false]);
    const never = await tryPosted(deps, { ...source, window_days: 0 }, rows);
    expect(never.results.some(({ status }) => status === 'duplicate')).toBe(false);
  });

  it('predicts who withdrew the consent, unless a newer one comes', async () => {
    const { table, deps, source } = await threeBuyers();
    const { telefon } = posted().person;
    const withdrawn_at = '2026-01-02T00:00:00.000Z';
    await table.transact(
      (await fingerprintsOf(aPerson({ telefon }))).map((hash) =>
        doNotContactStore.marked(hash, { withdrawn_at, withdrawal_id: 'w' }, undefined),
      ),
    );
    const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
    const rows = [undefined, ...days].map((day) => ({
      ...posted({ telefon }),
      ...(day !== undefined && {
        consent: { ...A_CONSENT, consent: { ...A_CONSENT.consent, given_at: `${day}T00:00:00.000Z` } },
      }),
    }));
    const { results } = await tryPosted(deps, source, rows);
    const happened = await ingestPosted(deps, source, rows, 4);
    for (const all of [results, happened])
      expect(all.map(({ status }) => status === 'withdrawn')).toEqual([true, true, true, false]);
  });

  it('returns the reason if no buyer can take a lead', async () => {
    const table = memoryTable();
    await addBuyers(table, [
      { id: 'choosy', probability: 30, limit: 9, minimum: 10_000, caps: { daily_cap: 1 } },
      { id: 'without order', probability: 30 },
    ]);
    const said = async (...amounts: number[]) => {
      const rows = amounts.map((anlagebetrag) => posted({ anlagebetrag }));
      return (await tryPosted(intakeOn(table), aSource(), rows)).results;
    };
    expect(await said(999_999, 1_000_000, 1_000_000)).toEqual([
      { status: 'pending', reason: 'below_min_investment' },
      { status: 'assigned', buyer_id: 'choosy' },
      { status: 'pending', reason: 'waits_for_opening' },
    ]);
    expect((await tryPosted(intakeOn(memoryTable()), aSource(), [posted()])).results).toEqual([
      { status: 'pending', reason: 'no_active_order' },
    ]);
  });

  it('predicts verification failures', async () => {
    const { table, deps, source } = await threeBuyers();
    await table.put({
      put: {
        ...keys.verificationSwitches(),
        email_verification: true,
        phone_verification: false,
        name_verification: false,
      },
    });
    const email = async ({ email: text }: { email: string }) =>
      ({ status: text === 'bad@example.org' ? 'invalid' : 'valid', note: null }) as const;
    const { results } = await tryPosted({ ...deps, checks: { ...deps.checks, email } }, source, [
      posted({ email: 'bad@example.org' }),
      posted(),
    ]);
    expect(results).toMatchObject([
      { status: 'pending', reason: 'email_verification_failed' },
      { status: 'assigned', buyer_id: expect.any(String) },
    ]);
  });
});

describe('a lead posted by a source', () => {
  it('is stored with the posted data, and found by the source’s ID only', async () => {
    const { deps, source } = await threeBuyers();
    const row = posted();
    const [result] = await ingestPosted(deps, source, [row], 0);
    const lead = await postedLead(deps, source, row.external_id);
    expect(lead).toMatchObject({
      ...row.person,
      lead_id: result?.lead_id,
      src: 'landing',
      source: 1,
      external_id: row.external_id,
      fingerprints: await fingerprintsOf(row.person),
    });
    expect(lead.lead_id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(lead.content).not.toContain(row.content);
    await expect(postedLead(deps, { ...source, salt: 'other' }, row.external_id)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('does not count against limits if it is a repeat, a duplicate or a conflict', async () => {
    const { deps, source } = await threeBuyers({ per_day: 100, day_left: 50, day: '2026-05-01' });
    const [one, two] = [posted(), posted()];
    const left = async () => (await sourceStore.get(deps, 1))?.day_left;
    const charged = async (rows: (typeof one)[]) => {
      const before = (await left()) ?? 0;
      const results = await ingestPosted(deps, { ...source, day: '2026-05-01' }, rows, rows.length);
      return { statuses: results.map(({ status }) => status), givenBack: ((await left()) ?? 0) - before };
    };
    expect(await charged([one, two])).toEqual({ statuses: ['accepted', 'accepted'], givenBack: 0 });
    expect(
      await charged([one, { ...two, content: 'other' }, posted({ telefon: one.person.telefon }), posted()]),
    ).toEqual({ statuses: ['accepted', 'conflict', 'duplicate', 'accepted'], givenBack: 3 });
    const again = posted();
    expect(await charged([again, { ...again, content: 'other' }, again])).toEqual({
      statuses: ['accepted', 'conflict', 'accepted'],
      givenBack: 2,
    });
    // A conflict takes no fingerprint.
    const marked = posted({ telefon: '+49888', email: 'free@example.org' });
    await charged([{ ...marked, external_id: two.external_id }]);
    expect((await charged([marked])).statuses).toEqual(['accepted']);
  });
});
