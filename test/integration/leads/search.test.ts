/** Search as people remember somebody: by any spelling of a name and by any part of a phone number. */

import { describe, expect, vi } from 'vitest';
import { postingId, postingsOf } from '#functions/data/claims/claim-words';
import * as leadStore from '#functions/data/leads/lead-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { listClaims } from '#functions/domain/claims/claim-list';
import { fileClaim } from '#functions/domain/claims/claims';
import { rebuildClaimWords } from '#functions/domain/claims/rebuild-words';
import { ingest } from '#functions/domain/distribution/distribution';
import { search } from '#functions/domain/leads/search';
import { count } from '#functions/domain/statistics/statistics';
import { aLeadRequest, aPerson } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { addBuyers, adminOn, distributionOn, quietRuntime } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const PEOPLE = [
  { vorname: 'Jörg', nachname: 'Müller', email: 'joerg@example.org', telefon: '0151 / 234 567 89' },
  { vorname: 'Kevin', nachname: 'Großkreutz', email: 'kevin@example.org', telefon: '+49 (0)30 4711 0815' },
  { vorname: 'Ute', nachname: 'Mueller', email: 'ute@example.org', telefon: '+43 660 1234567' },
];

const FOUND: readonly (readonly [string, readonly string[]])[] = [
  ['muller', ['Müller', 'Mueller']],
  ['grosskreutz', ['Großkreutz']],
  ['ute 4567', ['Mueller']],
  ['muller 0815', []],
];

describe('search', () => {
  it.beforeAll(async ({ cloud }) => {
    const { buyer_id, orderId, token } = await openOrder(cloud.admin, { probability: 0 });
    for (const person of PEOPLE)
      await cloud.admin.ok('createLead', { body: { ...aLeadRequest(person), buyer_id } });
    const { leads } = await cloud.visitor.ok('viewLeads', { params: { token } });
    for (const { lead_id } of leads.original)
      await cloud.visitor.ok('fileClaim', {
        query: { token },
        body: { lead_id, order_id: orderId, buyer_id, claim_reason: 'falsche_nummer' },
      });
    // The index of leads follows the table's stream.
    await vi.waitFor(async () => expect(await leadsBy(cloud, 'mull')).toHaveLength(2), { timeout: 10_000 });
    await vi.waitFor(async () => expect(await leadsBy(cloud, 'gross')).toHaveLength(1), { timeout: 10_000 });
  });

  it.for(FOUND)('for "%s" finds %o, among leads and among claims', async ([q, names], { cloud }) => {
    expect((await leadsBy(cloud, q)).toSorted()).toEqual(names.toSorted());
    const { claims, pagination } = await cloud.admin.ok('listClaims', { query: { search: q } });
    expect(claims.map(({ nachname }) => nachname).toSorted()).toEqual(names.toSorted());
    expect(pagination.total).toBe(names.length);
  });
});

async function leadsBy(cloud: TestCloud, q: string): Promise<string[]> {
  const { results } = await cloud.admin.ok('search', { query: { q } });
  return results.flatMap(({ kind, title }) => (kind === 'lead' ? (title.split(' ').at(-1) ?? '') : []));
}

/** The words of the index of claims, as postings, by claim. */
async function storedWords(table: Table): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  for await (const items of table.scan())
    for (const { pk, sk, claims } of items) {
      if (!String(pk).startsWith('CLAIMWORDS#')) continue;
      expect(claims).toBeInstanceOf(Set);
      const word = String(sk).slice(0, String(sk).lastIndexOf('#'));
      for (const claim of claims as Set<number>)
        found.set(claim, [...(found.get(claim) ?? []), `${String(pk).split('#')[1]} ${word}`]);
    }
  return found;
}

describe('rebuilding the search', () => {
  it('replaces the words of a former rule by those of the present one, of claims and of leads', async ({
    table,
  }) => {
    await addBuyers(table, [{ id: 'one', probability: 100, limit: 10 }]);
    const deps = { ...distributionOn(table), ...adminOn(table) };
    const { lead_id } = await ingest(deps, aPerson(PEOPLE[0]), undefined);
    const lead = (await leadStore.get(deps, lead_id))!;
    const claim = await fileClaim(
      deps,
      { admin: 'test' },
      { leadId: lead_id, orderId: lead.order_id!, buyerId: 'one', reason: 'fake' },
    );
    const counting = { table, runtime: quietRuntime };
    await count(counting, [lead_id]);
    const right = await storedWords(table);
    expect(right.get(claim.claim_id)?.toSorted()).toEqual(postingsOf(claim, lead).map(postingId).toSorted());

    // As stored before: the phone number by its beginnings, of leads as one word.
    for (const [tier, word] of [
      [5, '15123'],
      [8, '15123456'],
      [0, '15123456789'],
    ] as const)
      await table.put({ put: { ...keys.claimWord(tier, word, 0), claims: new Set([claim.claim_id]) } });
    for (const posting of postingsOf(claim, lead).filter(({ tier }) => tier === 4))
      await table.delete({ delete: keys.claimWord(posting.tier, posting.word, 0) });
    const [counted] = await statisticsStore.counted({ table }, [lead_id]);
    const former = { ...counted!.value, words: ['joerg@example.org', '15123456789', 'mueller', 'joerg'] };
    await statisticsStore.write({ table }, [{ leadId: lead_id, previous: counted!, now: former }], []);
    const finds = async (q: string) => ({
      leads: (await search(deps, q)).leads.length,
      claims: (
        await listClaims(deps, { page: 1, limit: 10, search: q, sortBy: 'claim_id', descending: true })
      ).total,
    });
    expect(await finds('6789')).toEqual({ leads: 0, claims: 0 });

    expect(await rebuildClaimWords(deps, false)).toEqual({ claims: 1, outdated: 1, corrected: 0 });
    expect(await rebuildClaimWords(deps, true)).toEqual({ claims: 1, outdated: 1, corrected: 1 });
    expect(await count(counting, [lead_id])).toBe(1);
    expect(await storedWords(table)).toEqual(right);
    expect(await finds('6789')).toEqual({ leads: 1, claims: 1 });
    expect(await rebuildClaimWords(deps, false)).toEqual({ claims: 1, outdated: 0, corrected: 0 });
    expect(await count(counting, [lead_id])).toBe(0);
  });
});
