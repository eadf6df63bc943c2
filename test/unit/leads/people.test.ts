/** Which leads are of one person, how they are found, and what belongs to a lead that is looked at. */
import { describe, expect, it } from 'vitest';
import { packChecks, resultsIn, unpackChecks } from '#functions/data/leads/intake-checks';
import type { Lead } from '#functions/data/leads/lead';
import { type LeadDetailsDeps, leadDetails } from '#functions/domain/leads/lead-details';
import { findPeople, type PeopleDeps } from '#functions/domain/leads/people';
import { aLead } from '#test/factories/leads';

const ID = '01KJPWD6M0RPPTTPVZMN3J641E';

/** Everybody's words are found, whatever is looked up: what does not fit is left out by the search itself. */
function deps(all: readonly Lead[]) {
  const asked: string[] = [];
  const of = new Map(all.map((lead) => [lead.lead_id, lead]));
  return {
    asked,
    leads: {
      get: async (id: string) => of.get(id),
      getMany: async (ids: readonly string[]) => ids.map((id) => of.get(id)),
      ofOrderBySequence: async (order: number, sequence: number) =>
        all.find((lead) => lead.order_id === order && lead.sequence === sequence),
    },
    searchIndex: {
      leadsWith: async (word: string) => {
        asked.push(word);
        return all.map(({ lead_id }) => lead_id);
      },
    },
    buyers: {
      getMany: async (ids: readonly number[]) => ids.map((buyer) => (buyer === 8 ? undefined : { buyer })),
    },
  } as unknown as PeopleDeps & { readonly asked: string[] };
}

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

describe('a lead that is looked at', () => {
  const details = async (lead: Partial<Lead>, more: object = {}) => {
    const asked: string[] = [];
    const ask = (name: string, answer: unknown) => async () => {
      asked.push(name);
      return answer;
    };
    const all = {
      leads: {
        details: async () => ({
          lead: aLead({
            lead_id: ID,
            status: 'assigned',
            buyer: 7,
            order_id: 12,
            sequence: 3,
            lead_type: 'original',
            assigned_at: '2026-01-01',
            ...lead,
          }),
          decision: undefined,
          deliveries: [],
          refusals: [],
          callbacks: [],
        }),
        get: async (lead_id: string) => ({ lead_id }),
        getMany: ask('getMany', [{ lead_id: 'earlier' }, undefined]),
      },
      orders: { get: ask('order', { order_id: 12 }) },
      buyers: { getMany: async (ids: number[]) => ids.map((buyer) => ({ buyer })) },
      claims: { get: async (claim_id: number) => ({ claim_id }) },
      listViews: { firstAfter: ask('opened', '2026-01-02') },
      addresses: { addressState: ask('address', { state: 'bounced_hard' }) },
      replacements: { ofBuyer: ask('ledger', []) },
      ...more,
    } as unknown as LeadDetailsDeps;
    return { found: await leadDetails(all, ID), asked };
  };
  const entry = (kind: string, changes: object) => ({
    kind,
    at: '2026-01-01',
    amount: 1,
    order_id: 12,
    claim_id: null,
    lead_id: null,
    ...changes,
  });
  const ledger = {
    replacements: {
      ofBuyer: async () => [entry('credit', { claim_id: 5 }), entry('delivery', { lead_id: 'new' })],
    },
  };

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

  it('names the leads of its person, where that was looked at', async () => {
    expect((await details({ marks: [] })).found.samePerson).toEqual([]);
    const { found, asked } = await details({
      marks: ['x'],
      earlier_leads: ['earlier'],
      later_leads: new Set(['later']),
    });
    expect(found.samePerson).toEqual([{ lead_id: 'earlier' }]);
    expect(asked).toContain('getMany');
    expect((await details({ duplicate_of: 'earlier' })).found.samePerson).toHaveLength(1);
  });

  it('tells how its claim was made good, or which claim it makes good', async () => {
    const approved = { claim_id: 5, claim_status: 'approved' } as never;
    expect((await details(approved, ledger)).found).toMatchObject({
      madeGood: { credit: { claim_id: 5 }, lead: { lead_id: 'new' } },
      replaces: undefined,
    });
    const owed = { replacements: { ofBuyer: async () => [entry('credit', { claim_id: 5 })] } };
    expect((await details(approved, owed)).found.madeGood).toMatchObject({ lead: undefined });
    expect((await details(approved)).found.madeGood).toBeUndefined();
    const own = {
      replacements: {
        ofBuyer: async () => [entry('credit', { claim_id: 5 }), entry('delivery', { lead_id: ID })],
      },
    };
    expect((await details({ lead_type: 'reimbursement' }, own)).found).toMatchObject({
      replaces: { claim_id: 5 },
      madeGood: undefined,
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
