/** Which leads are of one person, how they are found, and what belongs to a lead that is checked. */

import { describe, expect, it } from 'vitest';
import * as claimStore from '#functions/data/claims/claim-store';
import { packChecks, resultsIn, unpackChecks } from '#functions/data/leads/intake-checks';
import type { Lead } from '#functions/data/leads/lead';
import { type Replacement } from '#functions/data/orders/replacement';
import { indexed, keys } from '#functions/data/table/keys';
import { type Query } from '#functions/data/table/table';
import { leadDetails } from '#functions/domain/leads/lead-details';
import { findPeople } from '#functions/domain/leads/people';
import { aBuyer } from '#test/factories/buyers';
import { aLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { adminOn, changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const ID = '01KJPWD6M0RPPTTPVZMN3J641E';

/** Everybody's words are found, whatever is looked up: what does not fit is left out by the search itself. */
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
  return { asked, ...adminOn(table), verifiedAs: async () => [], files };
}
/** Whether a lead has the number in an order that is asked for. */
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
  it('are found by all that was typed, and grouped by address or number, the newest first', async () => {
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

  it('are one where a later lead has what two of them have', async () => {
    const all = [
      person('A', { received_at: '2026-03-01', email: 'one@example.org' }),
      person('B', { received_at: '2026-02-01', telefon: '0151 234567' }),
      person('C', { received_at: '2026-01-01', email: 'one@example.org', telefon: '0151 234567' }),
    ];
    expect(await groupsOf(all, 'muster')).toEqual([['A', 'C', 'B']]);
    // Nothing in common is not the same.
    const empty = [person('A', { email: '' }), person('B', { email: '' })];
    expect(await groupsOf(empty, 'muster')).toEqual([['A'], ['B']]);
  });

  it('are found by the id of a lead, and by its number, and then not by words', async () => {
    const lead = person(ID, { order_id: 12, sequence: 3 });
    const known = deps([lead, person('B')]);
    for (const query of [ID, ` ${ID.toLowerCase()} `, '12-3', '#12-3'])
      expect((await findPeople(known, query)).groups).toMatchObject([{ leads: [{ lead_id: ID }] }]);
    expect(known.asked).not.toContain(ID.toLowerCase());
    for (const query of [`${ID}X`, '012-3', '12-4'])
      expect((await findPeople(deps([lead]), query)).groups).toEqual([]);
  });

  it('are none where nothing of a person is left', async () => {
    const nobody = { email: '', telefon: '', nachname: '', order_id: 12, sequence: 3 };
    for (const query of [ID, '12-3']) expect(await groupsOf([person(ID, nobody)], query)).toEqual([]);
    for (const left of [{ email: 'x@y.de' }, { telefon: '1234567' }, { nachname: 'M' }])
      expect(await groupsOf([person(ID, { ...nobody, ...left })], ID)).toEqual([[ID]]);
  });

  it('come with their buyers, and with the word that there are more than fifty', async () => {
    const fifty = Array.from({ length: 50 }, (_, at) => person(`L${at}`, { buyer: at % 2 === 0 ? 7 : 8 }));
    const found = await findPeople(deps(fifty), 'muster');
    expect([found.more, [...found.buyers.keys()], found.groups.length]).toEqual([false, [7], 50]);
    const more = await findPeople(deps([...fifty, person('X')]), 'muster');
    expect([more.more, more.groups.length]).toEqual([true, 50]);
  });

  it('are looked up by the longest word', async () => {
    const known = deps([]);
    await findPeople(known, 'ab abcdef abc');
    expect(known.asked).toEqual(['abcdef']);
  });
});

const BOUNCED = {
  id: 'e',
  state: 'bounced_hard',
  at: '2026-01-01T00:00:00.000Z',
  by: 'smtp',
  code: '550',
  diagnostic: null,
};
const aClaim = (claim_id: number) =>
  claimStore.filed(
    {
      claim_id,
      created_at: '2026-01-02',
      claim_reason: 'Fake',
      claim_reason_code: 'fake',
      lead_id: ID,
      buyer: 7,
      order_id: 12,
      sequence: 3,
    },
    aLead(),
  ).claim;

describe('a lead that is checked', () => {
  const details = async (lead: Partial<Lead>, ledger: readonly Replacement[] = []) => {
    const asked: string[] = [];
    const ask = <T>(name: string, answer: T): T => {
      asked.push(name);
      return answer;
    };
    const own = aLead({
      lead_id: ID,
      status: 'assigned',
      buyer: 7,
      order_id: 12,
      sequence: 3,
      lead_type: 'original',
      assigned_at: '2026-01-01',
      ...lead,
    });
    const table = changedTable(memoryTable(), {
      queryAll: async ({ partition }) => {
        if (partition === keys.replacements(7)) return ask('ledger', [...ledger]);
        return partition === keys.leadPartition(ID) ? [{ ...keys.lead(ID), ...own }] : [];
      },
      query: async ({ partition }) => ({
        items: partition === keys.listViews(12) ? ask('opened', [{ at: '2026-01-02' }]) : [],
        next: undefined,
      }),
      get: async ({ pk, sk }) => {
        if (sk === keys.order(12).sk && pk === keys.order(12).pk) return ask('order', anOrder());
        if (sk === keys.claim(5).sk) return aClaim(Number(pk.replace('CLAIM#', '')));
        if (sk === keys.lead('').sk) return aLead({ lead_id: pk.replace('LEAD#', '') });
        return ask('address', { events: [BOUNCED] });
      },
      getMany: async (wanted) => {
        if (wanted.every(({ sk }) => sk !== keys.lead('').sk)) return wanted.map(() => aBuyer({ buyer: 7 }));
        return ask('getMany', [aLead({ lead_id: 'earlier' }), undefined]);
      },
    });
    const all = { ...adminOn(table), personKey: async () => Buffer.alloc(32) };
    return { found: await leadDetails(all, ID), asked };
  };
  const entry = (kind: Replacement['kind'], changes: Partial<Replacement>): Replacement => ({
    buyer: 7,
    kind,
    at: '2026-01-01',
    amount: 1,
    order_id: 12,
    claim_id: null,
    lead_id: null,
    balance_after: null,
    owed_after: null,
    ...changes,
  });
  const ledger = [entry('credit', { claim_id: 5 }), entry('delivery', { lead_id: 'new' })];

  it('asks for nothing that it cannot have', async () => {
    const { found, asked } = await details({
      status: 'pending',
      buyer: undefined,
      order_id: undefined,
      sequence: undefined,
      email: '',
    });
    expect(asked).toEqual([]);
    expect(found).toMatchObject({
      order: undefined,
      openedAt: undefined,
      emailState: undefined,
      samePerson: undefined,
    });
  });

  it('comes with order, address and when its list was opened', async () => {
    const { found, asked } = await details({ email: 'a@b.de' });
    expect(asked.toSorted()).toEqual(['address', 'opened', 'order']);
    expect(found).toMatchObject({
      order: { order_id: 12 },
      openedAt: '2026-01-02',
      emailState: { state: 'bounced_hard' },
    });
    expect([...found.buyers.keys()]).toEqual([7]);
  });

  it('names the leads of its person, where that was checked', async () => {
    expect((await details({ fingerprints: [] })).found.samePerson).toEqual([]);
    const { found, asked } = await details({
      fingerprints: ['x'],
      earlier_leads: ['earlier'],
      later_leads: new Set(['later']),
    });
    expect(found.samePerson).toMatchObject([{ lead_id: 'earlier' }]);
    expect(asked).toContain('getMany');
    expect((await details({ duplicate_of: 'earlier' })).found.samePerson).toHaveLength(1);
  });

  it('tells how its claim was compensated, or which claim it makes good', async () => {
    const approved = { claim_id: 5, claim_status: 'approved' } as never;
    expect((await details(approved, ledger)).found).toMatchObject({
      compensation: { credit: { claim_id: 5 }, lead: { lead_id: 'new' } },
      replaces: undefined,
    });
    const owed = [entry('credit', { claim_id: 5 })];
    expect((await details(approved, owed)).found.compensation).toMatchObject({ lead: undefined });
    expect((await details(approved)).found.compensation).toBeUndefined();
    const own = [entry('credit', { claim_id: 5 }), entry('delivery', { lead_id: ID })];
    expect((await details({ lead_type: 'reimbursement' }, own)).found).toMatchObject({
      replaces: { claim_id: 5 },
      compensation: undefined,
    });
    expect((await details({ lead_type: 'reimbursement' }, ledger)).found.replaces).toBeUndefined();
    expect((await details({ claim_id: 5, claim_status: 'rejected' })).asked).not.toContain('ledger');
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

  it('are three letters each, with their time where that was later than a minute', () => {
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

  it('leave out what this version does not know', () => {
    expect(resultsIn('xov')).toEqual([]);
    expect(resultsIn('exv')).toEqual([]);
    expect(resultsIn('eox')).toEqual([]);
    expect(resultsIn('eovpt')).toEqual([CHECKS[0]]);
  });
});
