/** Which leads belong to one person, how they are found, and which data a check of a lead includes. */

import { describe, expect, it } from 'vitest';
import { packChecks, resultsIn, unpackChecks } from '#functions/data/leads/intake-checks';
import type { Lead } from '#functions/data/leads/lead';
import { indexed, keys } from '#functions/data/table/keys';
import { type Query } from '#functions/data/table/table';
import { findPeople } from '#functions/domain/leads/people';
import { aBuyer } from '#test/factories/buyers';
import { aLead } from '#test/factories/leads';
import { adminOn, changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const ID = '01KJPWD6M0RPPTTPVZMN3J641E';

/** The index returns all people for any word, so the search itself must filter. */
function deps(all: readonly Lead[]) {
  const asked: string[] = [];
  const of = new Map(all.map((lead) => [lead.lead_id, lead]));
  const table = changedTable(memoryTable(), {
    get: async ({ pk }) => of.get(pk.replace('LEAD#', '')),
    getMany: async (wanted) =>
      wanted.map(({ pk, sk }) => {
        if (sk === keys.lead('').sk) return of.get(pk.replace('LEAD#', ''));
        return sk === keys.buyer(8).sk ? undefined : aBuyer({ buyer: 7 });
      }),
    query: async ({ partition, sort }) => {
      if (sort !== undefined && 'prefix' in sort && partition === keys.leadWords(sort.prefix)) {
        asked.push(sort.prefix);
        return { items: all.map(({ lead_id }) => ({ lead_id })), next: undefined };
      }
      return { items: all.filter((lead) => isAt(lead, partition, sort)), next: undefined };
    },
    queryAll: async ({ partition, sort }) => all.filter((lead) => isAt(lead, partition, sort)),
  });
  const files = { count: async () => 0, clear: async () => undefined };
  return { asked, ...adminOn(table), verifiedAs: async () => [], fingerprintsOf: async () => [], files };
}
/** Whether a lead has the given number in an order. */
const isAt = ({ order_id = 0, sequence = 0 }: Lead, partition: string, sort: Query['sort']) =>
  partition === indexed.orderLeads(order_id) &&
  sort !== undefined &&
  'from' in sort &&
  sort.from === indexed.sequence(sequence);

const person = (lead_id: string, changes: Partial<Lead> = {}) =>
  aLead({
    lead_id,
    vorname: 'Erika',
    nachname: 'Muster',
    email: `${lead_id.toLowerCase()}@example.org`,
    telefon: '',
    ...changes,
  });
const groupsOf = async (all: readonly Lead[], query: string) =>
  (await findPeople(deps(all), query)).groups.map(({ leads }) => leads.map(({ lead_id }) => lead_id));

describe('people', () => {
  it('match all search words, and are grouped by e-mail address or phone number, newest first', async () => {
    const all = [
      person('A', { received_at: '2026-01-01', email: 'same@example.org' }),
      person('B', { received_at: '2026-03-01', email: ' SAME@example.org', telefon: '0151 234567' }),
      person('C', { received_at: '2026-02-01', telefon: '+49 151 234567', nachname: 'Anders' }),
      person('D', { received_at: '2026-04-01' }),
      person('E', { received_at: '2026-05-01', nachname: 'Anders' }),
    ];
    expect(await groupsOf(all, 'erika muster')).toEqual([['D'], ['B', 'C', 'A']]);
    expect(await groupsOf(all, 'anders')).toEqual([['E'], ['B', 'C']]);
    expect(await groupsOf(all, '0151 234567')).toEqual([['B', 'C', 'A']]);
    expect(await groupsOf(all, 'erika nobody')).toEqual([]);
    expect(await groupsOf(all, ' ')).toEqual([]);
  });

  it('are merged if a later lead shares data with both', async () => {
    const all = [
      person('A', { received_at: '2026-03-01', email: 'one@example.org' }),
      person('B', { received_at: '2026-02-01', telefon: '0151 234567' }),
      person('C', { received_at: '2026-01-01', email: 'one@example.org', telefon: '0151 234567' }),
    ];
    expect(await groupsOf(all, 'muster')).toEqual([['A', 'C', 'B']]);
    // Two leads without common data are not the same person.
    const empty = [person('A', { email: '' }), person('B', { email: '' })];
    expect(await groupsOf(empty, 'muster')).toEqual([['A'], ['B']]);
  });

  it('are found by the ID or number of a lead, and then not by words', async () => {
    const lead = person(ID, { order_id: 12, sequence: 3 });
    const known = deps([lead, person('B')]);
    for (const query of [ID, ` ${ID.toLowerCase()} `, '12-3', '#12-3'])
      expect((await findPeople(known, query)).groups).toMatchObject([{ leads: [{ lead_id: ID }] }]);
    expect(known.asked).not.toContain(ID.toLowerCase());
    for (const query of [`${ID}X`, '012-3', '12-4'])
      expect((await findPeople(deps([lead]), query)).groups).toEqual([]);
  });

  it('are not found after an erasure', async () => {
    const nobody = { email: '', telefon: '', nachname: '', order_id: 12, sequence: 3 };
    for (const query of [ID, '12-3']) expect(await groupsOf([person(ID, nobody)], query)).toEqual([]);
    for (const left of [{ email: 'x@y.de' }, { telefon: '1234567' }, { nachname: 'M' }])
      expect(await groupsOf([person(ID, { ...nobody, ...left })], ID)).toEqual([[ID]]);
  });

  it('are listed with their buyers, and a flag if there are more than fifty', async () => {
    const fifty = Array.from({ length: 50 }, (_, at) => person(`L${at}`, { buyer: at % 2 === 0 ? 7 : 8 }));
    const found = await findPeople(deps(fifty), 'muster');
    expect([found.more, [...found.buyers.keys()], found.groups.length]).toEqual([false, [7], 50]);
    const more = await findPeople(deps([...fifty, person('X')]), 'muster');
    expect([more.more, more.groups.length]).toEqual([true, 50]);
  });
});

describe('the checks of a lead', () => {
  const RECEIVED = '2026-11-25T12:00:00.000Z';
  const CHECKS = [
    { kind: 'email', by: 'offline', result: 'valid' },
    { kind: 'phone', by: 'Twilio', result: 'dead' },
    { kind: 'name', by: 'NameAPI', result: 'unknown' },
    { kind: 'email', by: 'ZeroBounce', result: 'invalid' },
  ] as const;

  it('include three letters, each with its time if that was more than a minute later', () => {
    const after = (ms: number) => packChecks(CHECKS, RECEIVED, new Date(Date.parse(RECEIVED) + ms));
    expect(after(60_000)).toBe('eovptdnauezi');
    expect(after(60_001)).toBe('eovptdnauezi@1o');
    expect(after(100_999)).toBe('eovptdnauezi@2s');
    expect(packChecks([], RECEIVED, new Date(RECEIVED))).toBeUndefined();
    expect(unpackChecks({ checks: after(100_999), received_at: RECEIVED })).toEqual(
      CHECKS.map((check) => ({ ...check, at: '2026-11-25T12:01:40.000Z' })),
    );
    expect(unpackChecks({ checks: 'eov', received_at: RECEIVED })).toEqual([{ ...CHECKS[0], at: RECEIVED }]);
    expect(unpackChecks({ checks: undefined, received_at: RECEIVED })).toEqual([]);
  });

  it('omit unknown letters', () => {
    expect(resultsIn('xov')).toEqual([]);
    expect(resultsIn('exv')).toEqual([]);
    expect(resultsIn('eox')).toEqual([]);
    expect(resultsIn('eovpt')).toEqual([CHECKS[0]]);
  });
});
