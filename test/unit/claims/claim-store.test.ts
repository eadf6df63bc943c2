/** Claims with their rows, counts and words when they are filed, decided and edited. Runs on the in-memory table. */

import { describe, expect, it } from 'vitest';
import { blockRangeOf, packRow } from '#functions/data/claims/claim-lists';
import * as claimStore from '#functions/data/claims/claim-store';
import { type NewClaim } from '#functions/data/claims/claim-store';
import { postingId, postingsOf, termsOf } from '#functions/data/claims/claim-words';
import type { Lead, Person } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import { claimChangesForLead, removeUnusedClaimWords } from '#functions/domain/claims/claims';
import { rebuildClaimWords } from '#functions/domain/claims/rebuild-words';
import { aNewClaim } from '#test/factories/claims';
import { aLead } from '#test/factories/leads';
import { aPerson } from '#test/factories/people';
import { changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const AT = '2026-05-04T12:00:00.000Z';

function claims() {
  const table = memoryTable();
  const file = async (claim_id: number, person: Person, change: Partial<NewClaim> = {}) => {
    const lead_id = `LEAD${claim_id}`;
    const { items } = claimStore.filed(aNewClaim({ claim_id, lead_id, buyer: 1, ...change }), person);
    expect(await table.transact(items)).toMatchObject({ ok: true });
    const lead = aLead({ lead_id, claim_id, ...person });
    await table.put({ put: { ...keys.lead(lead_id), ...lead } });
    return lead;
  };
  const get = async (claimId: number) => (await claimStore.get({ table }, claimId))!;
  /** Writes the same items as an edit of the lead. */
  const edit = async (before: Lead, change: Partial<Person>) => {
    const after = { ...before, ...change };
    const changes = await claimChangesForLead({ table }, before, after);
    if (changes.length > 0) expect(await table.transact(changes)).toMatchObject({ ok: true });
    await removeUnusedClaimWords({ table }, before, after);
    await table.put({ put: { ...keys.lead(before.lead_id), ...after } });
    return { after, changes };
  };
  const found = async (search: string) =>
    [...(await claimStore.search({ table }, termsOf(search)))].toSorted((a, b) => a - b);
  const words = async () => {
    const all: string[] = [];
    for await (const page of claimStore.everyWord({ table }))
      all.push(...page.words.map(({ posting }) => postingId(posting)));
    return all;
  };
  const names = async (status: 'pending' | 'approved' = 'pending') =>
    (await claimStore.rows({ table }, { all: true }, [status])).map(({ nachname }) => nachname);
  return { table, file, get, edit, found, words, names };
}

const ann = aPerson({ vorname: 'Ann', nachname: 'Groß', email: 'Ann@Web.example', telefon: '0170 1234567' });
const ben = aPerson({ vorname: 'Ben', nachname: 'Klein', email: 'ben@mail.example', telefon: '0151 987' });

describe('an edit of a claimed lead', () => {
  it('moves its row and words with every edit, and leaves no old ones', async () => {
    const { table, file, edit, found, words, names } = claims();
    const lead = await file(7, ann);
    const before = await words();
    const once = await edit(lead, { nachname: 'Adler', telefon: '0160 5550000', anlagebetrag: 1_234_500 });
    expect([await found('gross'), await found('1234567'), await found('adler'), await found('5550')]).toEqual(
      [[], [], [7], [7]],
    );
    expect(await names()).toEqual(['adler']);
    for (const scope of [{ all: true }, { buyer: 1 }, { order: 12 }] as const)
      expect(await claimStore.rows({ table }, scope, ['pending'])).toMatchObject([
        { claim_id: 7, anlagebetrag: 1_234_500 },
      ]);
    const twice = await edit(once.after, { nachname: 'Zander' });
    expect([await names(), await found('adler'), await found('zander')]).toEqual([['zander'], [], [7]]);
    await edit(twice.after, ann);
    expect((await words()).toSorted()).toEqual(before.toSorted());
    expect(await names()).toEqual(['gross']);
  });

  it('writes nothing if neither row nor words change, or the lead has no claim', async () => {
    const { file, edit, get } = claims();
    const lead = await file(7, ann);
    const { claim_id: _, ...unclaimed } = lead;
    expect((await edit(lead, { laufzeit: 99 })).changes).toEqual([]);
    expect((await edit(unclaimed, { nachname: 'X' })).changes).toEqual([]);
    expect((await edit({ ...lead, claim_id: 8 }, { nachname: 'X' })).changes).toEqual([]);
    expect((await edit(lead, { anlagebetrag: 1 })).changes.length).toBeGreaterThan(0);
    const { after } = await edit({ ...lead, anlagebetrag: 1 }, { vorname: 'Anna' });
    expect((await get(7)).row_edition).toBe(2);
    expect(after.vorname).toBe('Anna');
  });

  it('and a concurrent decision both take effect', async () => {
    const { table, file, get, edit, names } = claims();
    const lead = await file(7, ann);
    const decided = async () => claimStore.decided(seen, { status: 'approved', notes: null, at: AT }).items;
    let seen = await get(7);
    const { after } = await edit(lead, { nachname: 'Adler' });
    expect(await table.transact(await decided())).toMatchObject({ ok: false });
    const late = await claimChangesForLead({ table }, after, { ...after, nachname: 'Late' });
    seen = await get(7);
    expect(await table.transact(await decided())).toMatchObject({ ok: true });
    expect(await table.transact(late)).toMatchObject({ ok: false });
    expect([await names(), await names('approved')]).toEqual([[], ['adler']]);
    await edit(after, { nachname: 'Berg' });
    expect(await names('approved')).toEqual(['berg']);
  });
});

it('claim lists sort by twenty or more characters of names and reasons, without punctuation', () => {
  const row = (nachname: string, claim_reason: string) =>
    packRow({ claim_id: 251, buyer: 2, order_id: 3, claim_reason }, { nachname, anlagebetrag: 4 });
  expect(row(' Groß--Öhl, ', '  „Nicht | erreichbar“ (nach 5 Tagen)')).toBe(
    '1|2|3|4|nicht erreichbar nac|gross oehl',
  );
  expect(row('x'.repeat(30), '')).toBe(`1|2|3|4||${'x'.repeat(24)}`);
});

describe('the words of a claim', () => {
  it('are prefixes of names, e-mail address and numbers, and four-digit parts of a phone number with positions', () => {
    const ids = { claim_id: 4711, lead_id: '01ABC', order_id: 345, sequence: 12 };
    const person = { vorname: 'Jo', nachname: 'Öl', email: ' A@b.Example ', telefon: '+49 151 23' };
    const expected = `0 01abc|1 4|2 47|3 471|5 4711|1 3|2 34|3 345|5 345-1|8 345-12
      1 a|2 a@|3 a@b|5 a@b.e|8 a@b.exam|0 a@b.example|1 b|2 b.|3 b.e|5 b.exa|8 b.exampl|0 b.example
      4 0151#00|4 1512#01|4 5123#02|1 o|2 oe|3 oel|1 j|2 jo|2 ol`;
    expect(postingsOf(ids, person).map(postingId)).toEqual(expected.split(/\||\n\s*/));
    const long = postingsOf(ids, { ...person, vorname: 'x'.repeat(99), telefon: '1'.repeat(40) });
    expect(long.filter(({ tier }) => tier === 4)).toHaveLength(13);
    expect(long.at(-1)).not.toEqual({ tier: 0, word: 'x'.repeat(99) });
    expect(long).toContainEqual({ tier: 0, word: 'x'.repeat(64) });
  });

  it('are looked up exactly if they are stored whole, otherwise by prefix', () => {
    const word = (tier: number, prefix: string, exact: boolean) => ({ tier, prefix, exact });
    expect(termsOf('Jo')).toEqual([[[word(2, 'jo', true)]]]);
    expect(termsOf('jürg')).toEqual([[[word(5, 'juerg', true)], [word(5, 'jurg', false)]]]);
    expect(termsOf('lüdenscheidt')).toMatchObject([[[word(0, 'luedenscheidt', false)], [{ tier: 0 }]]]);
    expect(termsOf('a-b')).toEqual([[[word(3, 'a-b', true)], [word(1, 'a', true), word(1, 'b', true)]]]);
    expect(termsOf('a@b')).toEqual([[[word(3, 'a@b', true)]]]);
    expect(termsOf('345-12')).toEqual([[[word(8, '345-12', false)]]]);
    expect(termsOf('1234-')).toEqual([[[word(5, '1234-', true)]]]);
    expect(termsOf('0151-2')).toMatchObject([[[{ prefix: '0151-2' }], [{ phone: { digits: '01512' } }]]]);
    expect(termsOf('x1234-5')).toEqual([
      [[word(8, 'x1234-5', false)], [word(5, 'x1234', true), word(1, '5', true)]],
    ]);
    expect(termsOf(' ??? - ')).toEqual([]);
  });

  it('are rebuilt with the current rule, which adds missing words and deletes old ones', async () => {
    const { table, file, get, words } = claims();
    for (let id = 1; id <= 52; id += 1) await file(id, id % 2 === 0 ? ben : ann);
    const right = (await words()).toSorted();
    const rebuild = (repair = true) => rebuildClaimWords({ table }, repair);
    expect(await rebuild()).toEqual({ claims: 52, outdated: 0, corrected: 0 });
    const claim = await get(51);
    const old = { tier: 0, word: 'former' };
    expect(
      await claimStore.correctWords({ table }, claim, { missing: [old], surplus: postingsOf(claim, ann) }),
    ).toBe(true);
    expect(await claimStore.search({ table }, [[[{ tier: 0, prefix: 'former', exact: false }]]])).toEqual(
      new Set([51]),
    );
    const former = await words();
    expect(await rebuild(false)).toMatchObject({ outdated: 1, corrected: 0 });
    expect(await words()).toEqual(former);
    expect(await rebuild()).toEqual({ claims: 52, outdated: 1, corrected: 1 });
    expect((await words()).toSorted()).toEqual(right);
    // A concurrently edited claim is left to another run.
    await claimStore.correctWords({ table }, claim, { missing: [old], surplus: [] });
    const getMany = table.getMany.bind(table);
    const stale = changedTable(table, {
      getMany: async (wanted, options) =>
        (await getMany(wanted, options)).map((one) =>
          one?.row_edition === undefined ? one : { ...one, row_edition: Number(one.row_edition) + 1 },
        ),
    });
    expect(await rebuildClaimWords({ table: stale }, true)).toEqual({
      claims: 52,
      outdated: 1,
      corrected: 0,
    });
    const leadless = changedTable(table, {
      getMany: async (wanted, options) =>
        (await getMany(wanted, options)).filter((one) => one?.sk !== keys.lead('').sk),
    });
    expect(await rebuildClaimWords({ table: leadless }, true)).toMatchObject({
      corrected: 0,
    });
    const { items } = claimStore.filed({ ...(await get(1)) }, ann);
    expect(await table.transact(items)).toMatchObject({ ok: false });
  });
});

describe('claims of large numbers', () => {
  it('are found, listed and counted like claims of small numbers', async () => {
    const { table, file, found, names } = claims();
    const ids = [3, 249, 250, 1003, 25_003, 125_250];
    for (const id of ids) await file(id, id === 1003 ? ben : ann);
    const others = ids.filter((id) => id !== 1003);
    for (const search of ['ann', 'groß ann', '0170 1234567', '4567'])
      expect(await found(search)).toEqual(others);
    expect([await found('1003'), await found('125250'), await found('ben ann')]).toEqual([
      [1003],
      [125_250],
      [],
    ]);
    expect(await names()).toHaveLength(6);
    const counts = await claimStore.counts({ table }, { order: 12 });
    const pending = [...counts].toSorted(([a], [b]) => a - b).map(([block, of]) => [block, of.pending]);
    expect(pending).toEqual([
      [0, 2],
      [1, 1],
      [4, 1],
      [100, 1],
      [501, 1],
    ]);
    const range = (offset: number, limit: number) => blockRangeOf(counts, ['pending'], true, offset, limit);
    expect(range(1, 2)).toEqual({ first: 4, last: 100, skipped: 1 });
    expect([range(6, 2), blockRangeOf(counts, ['approved'], true, 0, 9)]).toEqual([undefined, undefined]);
  });

  it('are found by their number, together with claims with these digits in a phone number', async () => {
    const { file, found } = claims();
    for (const [id, telefon] of [
      [4711, '0160 1'],
      [5, '0160 4711'],
      [6, '0160 47110'],
    ] as const)
      await file(id, { ...ann, telefon });
    expect(await found('4711')).toEqual([5, 6, 4711]);
  });
});
