/** Leads of one person, step by step on the in-memory table: which came first, and which waits for which. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as personFingerprintStore from '#functions/data/leads/person-fingerprint-store';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import {
  leadsWaitedFor,
  releaseFingerprints,
  resolvePerson,
  resolveRepeated,
  samePerson,
  takeFingerprints,
  withPersonResolved,
} from '#functions/domain/distribution/same-person';
import { aLead, aReceivedLead } from '#test/factories/leads';
import { aSource } from '#test/factories/sources';
import { changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const NOON = new Date('2026-05-04T12:00:00.000Z');
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const WINDOW = { window_days: 30, on_duplicate: 'refuse' } as const;
const after = (milliseconds: number) => new Date(NOON.getTime() + milliseconds);

function aWorld() {
  const table = memoryTable();
  const world = { now: NOON, slept: [] as number[] };
  const deps = {
    table,
    runtime: {
      ...quietRuntime,
      now: () => world.now,
      sleep: async (milliseconds: number) => void world.slept.push(milliseconds),
    },
  };
  /** A lead received now, from a person with these fingerprints. */
  const lead = (lead_id: string, fingerprints: string[] | undefined, change: Partial<Lead> = {}) =>
    aReceivedLead({
      lead_id,
      source: 1,
      received_at: world.now.toISOString(),
      ...(fingerprints && { fingerprints }),
      ...change,
    });
  const stored = async (one: Lead) => {
    await leadStore.receive({ table }, one);
    return one;
  };
  const get = async (id: string) => (await leadStore.get({ table }, id))!;
  const settle = (one: Lead, change: object = {}) => resolvePerson(deps, { ...WINDOW, ...change }, one);
  return { table, world, deps, lead, stored, get, settle };
}

describe('a lead of a known person', () => {
  it('is a duplicate within the window of its source', async () => {
    const { lead, stored, get, settle, table } = aWorld();
    const first = await stored(lead('a', ['phone', 'email']));
    expect(await settle(first)).toEqual(first);
    const second = await stored(lead('b', ['email']));
    expect(await settle(second)).toBe('refused');
    // The duplicate contains no personal data.
    expect(await get('b')).toMatchObject({ status: 'duplicate', duplicate_of: 'a', email: '', telefon: '' });
    const item = await table.get({ pk: 'LEAD#b', sk: 'LEAD' });
    expect(item?.expires_at).toBe(after(90 * DAY_MS).getTime() / SECOND_MS);
    // A repeated call has the same result.
    expect(await settle(first)).toEqual(first);
    // A duplicate still links phone and e-mail address to one person.
    const third = await stored(lead('c', ['phone']));
    expect(await settle(third)).toBe('refused');
    expect(await get('c')).toMatchObject({ duplicate_of: 'a' });
  });

  it('is held if its source holds duplicates', async () => {
    const { lead, stored, get, settle } = aWorld();
    await settle(await stored(lead('a', ['phone'])));
    expect(await settle(await stored(lead('b', ['phone'])), { on_duplicate: 'hold' })).toBe('held');
    const held = { status: 'pending', reason: 'duplicate', verification_notes: [] };
    expect(await get('b')).toMatchObject(held);
  });

  it('from another source is linked with the earlier lead in both directions', async () => {
    const { lead, stored, get, settle } = aWorld();
    await settle(await stored(lead('a', ['phone'])));
    const second = await stored(lead('b', ['phone'], { source: 2, batch_id: 'batch' }));
    const noted = await settle(second);
    expect(noted).toEqual(await get('b'));
    expect(noted).toMatchObject({ earlier_leads: ['a'], distribution_attempt: 2 });
    expect(noted).not.toHaveProperty('batch_id');
    expect((await get('a')).later_leads).toEqual(new Set(['b']));
    // Another attempt has taken it over.
    expect(await settle(second)).toBe('held');
  });

  it('is no duplicate after the window, or in a source without one', async () => {
    const { world, lead, stored, settle } = aWorld();
    await settle(await stored(lead('a', ['phone'])), { window_days: 90 });
    world.now = after(30 * DAY_MS - 1);
    expect(await settle(await stored(lead('b', ['phone'])))).toBe('refused');
    world.now = after(60 * DAY_MS);
    const later = await stored(lead('c', ['phone']));
    expect(await settle(later)).toEqual(later);
    const without = await stored(lead('d', ['phone']));
    expect(await settle(without, { window_days: 0 })).toEqual(without);
  });

  it('is a duplicate only by the window of its own source', async () => {
    const windows = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }));
    const lead = fc.record({ source: fc.constantFrom(1, 2), daysLater: fc.integer({ min: 0, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(windows, fc.array(lead, { minLength: 2, maxLength: 7 }), async (days, history) => {
        const { world, lead, stored, settle } = aWorld();
        const accepted: { readonly source: number; readonly at: number }[] = [];
        let at = 0;
        for (const [index, { source, daysLater }] of history.entries()) {
          at += daysLater;
          // A minute apart, so that no two arrive at the same time.
          world.now = after(at * DAY_MS + index * 60 * SECOND_MS);
          const window_days = days[source - 1] ?? 0;
          const isAgain = accepted.some(
            (one) => one.source === source && world.now.getTime() - one.at < window_days * DAY_MS,
          );
          const one = await stored(lead(`lead-${index}`, ['phone'], { source }));
          const settled = await settle(one, { window_days });
          expect(settled === 'refused', JSON.stringify({ days, history, index })).toBe(isAgain);
          if (!isAgain) accepted.push({ source, at: world.now.getTime() });
        }
      }),
      { numRuns: 100 },
    );
  });

  it('is recognized for a minute by the fingerprint of a lead that is not stored yet', async () => {
    for (const [waitedMs, known] of [
      [59_999, true],
      [60_000, false],
    ] as const) {
      const { world, deps, lead, stored, get, settle } = aWorld();
      await takeFingerprints(deps, lead('never', ['phone']), 30);
      const second = await stored(lead('b', ['phone']));
      world.now = after(waitedMs);
      expect(await settle(second)).toEqual(known ? 'refused' : await get('b'));
    }
  });

  it('loses its first position to the next lead a minute after its call failed', async () => {
    const { world, deps, lead, stored, get, settle } = aWorld();
    await takeFingerprints(deps, lead('a', ['phone']), 30);
    world.now = after(60_000);
    expect(await settle(await stored(lead('b', ['phone'])))).toMatchObject({ lead_id: 'b' });
    expect((await personFingerprintStore.get(deps, 'phone'))?.leads.map(({ lead_id }) => lead_id)).toEqual([
      'b',
    ]);
    expect(await settle(await stored(lead('a', ['phone'])))).toBe('refused');
    expect(await get('a')).toMatchObject({ duplicate_of: 'b' });
  });

  it('keeps its first position within a minute of a failed call, and learns of later leads', async () => {
    const { world, deps, lead, stored, get, settle } = aWorld();
    await takeFingerprints(deps, lead('a', ['phone']), 30);
    world.now = after(SECOND_MS);
    await settle(await stored(lead('b', ['phone'], { source: 2 })));
    const again = await stored(lead('a', ['phone']));
    // Only the call that stored the lead decides about it.
    expect(await resolveRepeated(deps, WINDOW, again)).toBe(false);
    expect(await get('a')).toEqual(again);
    expect(await settle(again)).toMatchObject({ earlier_leads: [], distribution_attempt: 2 });
    expect((await get('a')).later_leads).toEqual(new Set(['b']));
  });

  it('counts as later if it won only the second fingerprint, because the lower one decides', async () => {
    const { deps, lead, stored, settle } = aWorld();
    const first = await stored(lead('a', ['phone', 'email']));
    const taken = await takeFingerprints(deps, first, 30);
    expect(taken.entries.map(({ hash }) => hash)).toEqual(['email', 'phone']);
    const second = await stored(lead('b', ['phone', 'email'], { source: 2 }));
    expect(await settle(second)).toMatchObject({ earlier_leads: ['a'] });
    expect(await resolvePerson(deps, WINDOW, first, taken)).toEqual(first);
  });

  it('is not rejected because of a lead that it replaced', async () => {
    const { world, deps, lead, stored, get, settle } = aWorld();
    await takeFingerprints(deps, lead('a', ['phone']), 30);
    world.now = after(60_000);
    const second = await stored(lead('b', ['phone']));
    expect(await settle(second)).toMatchObject({ lead_id: 'b', distribution_attempt: 2 });
    expect(await leadStore.refuse(deps, second, 'duplicate', { lead_id: 'a', isSamePerson: true })).toBe(
      false,
    );
    expect(await get('b')).toMatchObject({ status: 'received' });
  });

  it('is rejected if another call has rejected it', async () => {
    const { world, deps, lead, stored, settle } = aWorld();
    await takeFingerprints(deps, lead('a', ['phone']), 30);
    world.now = after(60_000);
    const second = await stored(lead('b', ['phone']));
    const earlier = { lead_id: 'a', isSamePerson: false };
    expect(await leadStore.refuse(deps, second, 'duplicate', earlier)).toBe(true);
    expect(await settle(second)).toBe('refused');
    expect(await leadStore.refuse(deps, second, 'duplicate', earlier)).toBe(true);
  });

  it('takes its fingerprints again in a call that took half a minute, and not before', async () => {
    for (const [waitedMs, times] of [
      [29_999, 1],
      [30_000, 2],
    ] as const) {
      const { table, world, deps, lead, stored } = aWorld();
      let takes = 0;
      const counting = changedTable(table, {
        put: (write) => {
          if (write.put.sk === keys.person('').sk) takes += 1;
          return table.put(write);
        },
      });
      const counted = { ...deps, table: counting };
      const first = await stored(lead('a', ['phone']));
      const taken = await takeFingerprints(counted, first, 30);
      world.now = after(waitedMs);
      expect(await resolvePerson(counted, WINDOW, first, taken)).toEqual(first);
      expect(takes).toBe(times);
    }
  });

  it('is no duplicate of a lead stored with another person, but of an erased one', async () => {
    const { lead, stored, settle, deps } = aWorld();
    await takeFingerprints(deps, lead('a', ['phone']), 30);
    await stored(lead('a', ['other']));
    const second = await stored(lead('b', ['phone']));
    expect(await settle(second)).toEqual(second);
    await takeFingerprints(deps, lead('c', ['email']), 30);
    await stored(lead('c', undefined));
    expect(await settle(await stored(lead('d', ['email'])))).toBe('refused');
  });

  it('releases its own fingerprints if it was not stored, and keeps the others', async () => {
    const { deps, lead } = aWorld();
    const first = await takeFingerprints(deps, lead('a', ['phone', 'email']), 30);
    await releaseFingerprints(deps, first);
    expect(await personFingerprintStore.get(deps, 'phone')).toBeUndefined();
    expect(await personFingerprintStore.get(deps, 'email')).toBeUndefined();
    await takeFingerprints(deps, lead('b', ['phone']), 30);
    await releaseFingerprints(deps, await takeFingerprints(deps, lead('c', ['phone']), 30));
    expect((await personFingerprintStore.get(deps, 'phone'))?.leads.map(({ lead_id }) => lead_id)).toEqual([
      'b',
    ]);
    await releaseFingerprints(deps, await takeFingerprints(deps, lead('d', []), 30));
  });
});

describe('a lead stored by another call', () => {
  it('becomes a duplicate, is held, or is left to that call', async () => {
    const { deps, lead, stored, get, settle } = aWorld();
    const first = await stored(lead('a', ['phone']));
    expect(await resolveRepeated(deps, WINDOW, first)).toBe(false);
    expect(await resolveRepeated(deps, WINDOW, await stored(lead('b', ['phone'])))).toBe(true);
    expect(await get('b')).toMatchObject({ status: 'duplicate', duplicate_of: 'a' });
    const held = await stored(lead('c', ['phone']));
    expect(await resolveRepeated(deps, { ...WINDOW, on_duplicate: 'hold' }, held)).toBe(false);
    expect(await get('c')).toMatchObject({ status: 'pending', reason: 'duplicate' });
    const later = await stored(lead('d', ['phone'], { source: 2 }));
    expect(await resolveRepeated(deps, WINDOW, later)).toBe(false);
    expect(await get('d')).toEqual(later);
    expect(await settle(later)).toMatchObject({ earlier_leads: ['a'] });
  });

  it('is left alone once an admin has decided about it', async () => {
    const { deps, lead, stored, get, settle } = aWorld();
    await settle(await stored(lead('a', ['phone'])));
    const again = await stored(lead('b', ['phone'], { reason: 'duplicate', distribution_attempt: 2 }));
    expect(await resolveRepeated(deps, WINDOW, again)).toBe(false);
    expect(await get('b')).toEqual(again);
  });
});

describe('a lead stored by an earlier call', () => {
  it('has its person resolved, unless it is resolved or an admin has decided', async () => {
    const { table, deps, lead, stored, settle } = aWorld();
    await table.transact(sourceStore.created(aSource({ source: 1, ...WINDOW })));
    await settle(await stored(lead('a', ['phone'])));
    const settled = async (id: string, change: Partial<Lead> = {}) => {
      const one = await stored(lead(id, ['phone'], change));
      const answer = await withPersonResolved(deps, one);
      return answer === undefined ? undefined : answer === one;
    };
    expect(await settled('b')).toBeUndefined();
    expect(await settled('c', { reason: 'duplicate' })).toBe(true);
    expect(await settled('d', { earlier_leads: [] })).toBe(true);
    expect(await settled('e', { source: 9 })).toBe(true);
    expect(await settled('f', { source: undefined })).toBe(true);
  });

  it('leaves its batch if later leads of its person exist, whose buyers a batch does not read', async () => {
    const { table, deps, lead, stored } = aWorld();
    await table.transact(sourceStore.created(aSource({ source: 1, ...WINDOW })));
    const one = await stored(lead('a', ['phone'], { batch_id: 'batch', later_leads: new Set(['b']) }));
    const settled = await withPersonResolved(deps, one);
    expect(settled).toMatchObject({ earlier_leads: [], distribution_attempt: 2 });
    expect(settled).not.toHaveProperty('batch_id');
  });
});

describe('a lead before its distribution', () => {
  const states = (...leads: readonly (readonly (Lead | undefined)[])[]) => {
    const slept: number[] = [];
    const asked: (readonly string[])[] = [];
    const noted: (readonly [string, string])[] = [];
    const table = changedTable(memoryTable(), {
      getMany: async (wanted) => {
        asked.push(wanted.map(({ pk }) => pk.replace('LEAD#', '')));
        return [...(leads[asked.length - 1] ?? leads.at(-1) ?? [])];
      },
      update: async ({ key, values = {} }) => {
        const [later = ''] = values[':later'] as ReadonlySet<string>;
        noted.push([key.pk.replace('LEAD#', ''), later]);
        return { ok: true, item: {} };
      },
    });
    const deps = {
      table,
      runtime: {
        ...quietRuntime,
        now: () => NOON,
        sleep: async (milliseconds: number) => void slept.push(milliseconds),
      },
    };
    return { deps, slept, asked, noted };
  };
  const at = (secondsAgo = 0) => after(-secondsAgo * SECOND_MS).toISOString();
  const own = (change: Partial<Lead>) => aReceivedLead({ lead_id: 'own', received_at: at(), ...change });
  const notified = { later_leads: new Set(['own']) };
  const flying = aReceivedLead({ lead_id: 'a', ...notified });

  it('does not wait if it is the only one of its person', async () => {
    const { deps, asked } = states();
    expect(await samePerson(deps, own({}))).toEqual({ buyers: new Set(), checks: [] });
    expect(asked).toEqual([]);
  });

  it('learns which buyers have the person, and requires the earlier leads unchanged', async () => {
    const { deps, asked, slept } = states([
      aLead({ lead_id: 'a', buyer: 7, ...notified }),
      aReceivedLead({ lead_id: 'b', status: 'pending', ...notified }),
      aLead({ lead_id: 'c', buyer: 9 }),
      aReceivedLead({ lead_id: 'd' }),
    ]);
    const one = own({ earlier_leads: ['a', 'b'], later_leads: new Set(['c', 'd']) });
    const same = await samePerson(deps, one);
    expect(asked).toEqual([['a', 'b', 'c', 'd']]);
    expect(same?.buyers).toEqual(new Set([7, 9]));
    expect(same?.checks).toMatchObject([{ key: { pk: 'LEAD#b' } }]);
    expect(slept).toEqual([]);
  });

  it('is noted on an earlier lead that is stored late', async () => {
    const untold = aLead({ lead_id: 'a', buyer: 7, later_leads: new Set(['b']) });
    const { deps, noted, asked } = states([undefined], [untold], [{ ...untold, ...notified }]);
    const same = await samePerson(deps, own({ earlier_leads: ['a'] }));
    expect(same?.buyers).toEqual(new Set([7]));
    expect(noted).toEqual([['a', 'own']]);
    expect(asked).toHaveLength(3);
    for (const status of ['received', 'pending'] as const) {
      const one = aReceivedLead({ lead_id: 'a', status });
      const open = states([one], [{ ...one, status: 'pending', ...notified }]);
      expect((await samePerson(open.deps, own({ earlier_leads: ['a'] })))?.checks).toHaveLength(1);
      expect(open.noted).toHaveLength(1);
    }
    // It will never be stored.
    const over = states([aReceivedLead({ lead_id: 'a', status: 'discarded' })]);
    expect(await samePerson(over.deps, own({ earlier_leads: ['a'] }))).toMatchObject({ checks: [] });
    expect(over.noted).toEqual([]);
  });

  it('requires another lead unchanged once if it is both earlier and later', async () => {
    const pending = aReceivedLead({ lead_id: 'a', status: 'pending', ...notified });
    const { deps, asked } = states([pending]);
    const one = own({
      earlier_leads: ['a'],
      later_leads: new Set(['a']),
      refused_by: [{ buyer: 3, at: at() }],
    });
    expect((await samePerson(deps, one))?.checks).toHaveLength(1);
    expect(asked).toEqual([['a']]);
    expect(leadsWaitedFor(one)).toEqual(['a']);
    expect(leadsWaitedFor({ ...one, earlier_leads: [] })).toEqual(['a']);
  });

  it('does not wait for later leads', async () => {
    const { deps } = states([flying]);
    expect(await samePerson(deps, own({ later_leads: new Set(['a']) }))).toEqual({
      buyers: new Set(),
      checks: [],
    });
  });

  it('waits at most five seconds while an earlier lead is in flight', async () => {
    const one = own({ earlier_leads: ['a'] });
    const soon = states([flying], [flying], [aLead({ lead_id: 'a', buyer: 7, ...notified })]);
    expect((await samePerson(soon.deps, one))?.buyers).toEqual(new Set([7]));
    expect(soon.slept).toEqual([100, 100]);
    const never = states([flying]);
    expect(await samePerson(never.deps, one)).toBeUndefined();
    expect(never.asked).toHaveLength(50);
    expect(never.slept).toEqual(Array(49).fill(100));
  });

  it('does not wait for leads of its own caller, and requires them unchanged', async () => {
    const { deps, slept } = states([flying]);
    const one = own({ earlier_leads: ['a'] });
    expect((await samePerson(deps, one, [flying]))?.checks).toMatchObject([{ key: { pk: 'LEAD#a' } }]);
    expect(slept).toEqual([]);
    for (const other of [
      { ...flying, distribution_attempt: 2 },
      { ...flying, lead_id: 'b' },
    ])
      expect(await samePerson(states([flying]).deps, one, [other])).toBeUndefined();
  });

  it('waits for a lead that may not be stored yet, until a minute after its own arrival', async () => {
    const missing = states([undefined]);
    expect(
      await samePerson(missing.deps, own({ earlier_leads: ['a'], received_at: at(59) })),
    ).toBeUndefined();
    const gone = states([undefined]);
    const one = own({ earlier_leads: ['a'], received_at: at(60) });
    // The other lead must not be stored while this one is assigned, because its call may be repeated.
    expect(await samePerson(gone.deps, one)).toMatchObject({
      buyers: new Set(),
      checks: [{ delete: { pk: 'LEAD#a' }, condition: 'attribute_not_exists(pk)' }],
    });
  });
});
