/** Search by any spelling of a name and any part of a phone number. */

import { describe, expect, vi } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
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
    // The search index follows the table's stream.
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
