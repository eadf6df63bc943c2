/** Sources on the in-memory table: settings, keys, links and limits. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as templateStore from '#functions/data/administration/template-store';
import { UNLIMITED } from '#functions/data/sources/source';
import * as sourceCounts from '#functions/data/sources/source-counts';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import type { TransactionItem } from '#functions/data/table/table';
import { createTemplate, deleteTemplate } from '#functions/domain/administration/settings';
import { secretHash } from '#functions/domain/common/secret-hash';
import { isWithin, rangeOf } from '#functions/domain/sources/addresses';
import { type Caller, countImported, readSource, useSource } from '#functions/domain/sources/source-access';
import { newSourceKey, prefixOf, readSourceKey } from '#functions/domain/sources/source-key';
import {
  createSource,
  createSourceKey,
  revokeSourceKey,
  settingsOf,
  updateSource,
} from '#functions/domain/sources/sources';
import {
  regenerateSpecification,
  sourceOfSpecification,
  switchOffSpecification,
} from '#functions/domain/sources/specification';
import { systemRuntime } from '#functions/platform/runtime';
import { aTemplateRequest } from '#test/factories/templates';
import { adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { FaultyConnections } from '#test/harness/faults';
import { intakeOn } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

const NOON = '2026-05-04T12:00:20.000Z';

/** A live source with a key, and a clock. */
async function aSource(settings: Omit<Parameters<typeof createSource>[2], 'name' | 'src'> = {}) {
  const table = memoryTable();
  let now = NOON;
  const runtime = { ...quietRuntime, now: () => new Date(now), sleep: async () => undefined };
  const deps = { ...adminOn(table, runtime), ...intakeOn(table, runtime) };
  const { source: id } = await createSource(deps, 'anna', { name: 'Page', src: 'page', ...settings });
  await updateSource(deps, 'anna', id, { state: 'live' });
  const { key } = await createSourceKey(deps, 'anna', id);
  const stored = async () => (await sourceStore.get(deps, id))!;
  const auditOf = async () =>
    (await auditStore.list(deps, { entity: 'source', entityId: String(id) }, { limit: 20 })).entries;
  const caller: Caller = { authorization: `Bearer ${key}`, origin: undefined, address: '203.0.113.7' };
  const use = async (leads: number, change: Partial<Caller> = {}) => {
    const { source, refused } = await useSource(deps, { ...caller, ...change }, leads);
    if (refused !== undefined) throw refused;
    return source;
  };
  /** The same, but another change comes before the first write. */
  const disturbed = (meanwhile: () => Promise<unknown>) => {
    let writes = 0;
    const transact = async (items: readonly TransactionItem[]) => {
      writes += 1;
      if (writes === 1) await meanwhile();
      return table.transact(items);
    };
    return { ...deps, table: changedTable(deps.table, { transact }), writes: () => writes };
  };
  return {
    table,
    deps,
    id,
    key,
    stored,
    auditOf,
    caller,
    use,
    disturbed,
    at: (time: string) => {
      now = time;
    },
  };
}

describe('double opt-in', () => {
  it('cannot be turned on while the last e-mail template is deleted, nor the other way round', async () => {
    const { deps, id, stored, disturbed } = await aSource();
    const add = () => createTemplate(deps, 'anna', aTemplateRequest());
    const turnOn = (context: typeof deps) => updateSource(context, 'anna', id, { double_opt_in: true });
    const first = await add();
    const late = disturbed(() => deleteTemplate(deps, 'bert', first.id));
    await expect(turnOn(late)).rejects.toMatchObject({ code: 'no_mail_server' });
    expect((await stored()).double_opt_in).toBe(false);

    const second = await add();
    const deleting = disturbed(() => turnOn(deps));
    await expect(deleteTemplate(deleting, 'bert', second.id)).rejects.toMatchObject({
      code: 'changed_meanwhile',
    });
    await expect(deleteTemplate(deps, 'bert', second.id)).rejects.toMatchObject({
      code: 'template_in_use',
      message: expect.stringContaining('(Page)'),
    });
  });

  it('keeps one of two e-mail templates that are deleted at once', async () => {
    const { deps, id, disturbed } = await aSource();
    const [one, two] = [
      await createTemplate(deps, 'anna', aTemplateRequest()),
      await createTemplate(deps, 'anna', aTemplateRequest()),
    ];
    await updateSource(deps, 'anna', id, { double_opt_in: true });
    const deleting = disturbed(() => deleteTemplate(deps, 'bert', two.id));
    await expect(deleteTemplate(deleting, 'anna', one.id)).rejects.toMatchObject({
      code: 'changed_meanwhile',
    });
    expect(await templateStore.all(deps)).toMatchObject([{ id: one.id }]);
    const source = { name: 'New', src: 'new', double_opt_in: true };
    expect(await createSource(deps, 'anna', source)).toMatchObject({ double_opt_in: true });
  });
});

describe('a new source', () => {
  it('starts in test mode, without keys, with the given limits and a link', async () => {
    const table = memoryTable();
    const deps = adminOn(table);
    const source = await createSource(deps, 'anna', { name: 'A', src: 'a', state: 'live', per_day: 7 });
    expect(settingsOf(source)).toEqual({
      name: 'A',
      src: 'a',
      state: 'test',
      addresses: [],
      origins: [],
      mapping: {},
      defaults: {},
      per_minute: 600,
      per_day: 7,
      in_total: null,
      cost_per_lead: null,
      window_days: 30,
      on_duplicate: 'refuse',
      sees_buyers: false,
      consent: 'hold',
      double_opt_in: false,
    });
    expect(source).toMatchObject({ keys: {}, minute_left: 600, day_left: 7, total_left: UNLIMITED });
    expect(await sourceStore.get(deps, source.source)).toEqual(source);
    expect(await sourceOfSpecification(deps, source.specification_token ?? '')).toEqual(source);
    const second = await createSource(deps, 'anna', { name: 'B', src: 'b', in_total: 5 });
    expect(second).toMatchObject({ per_day: UNLIMITED, in_total: 5, total_left: 5 });
    expect(await sourceStore.all(deps)).toEqual([source, second]);
    await expect(createSource(deps, 'anna', { name: 'C', src: 'c', addresses: ['a'] })).rejects.toMatchObject(
      {
        message: 'a is not an IP address or range',
        fields: { addresses: 'a is not an IP address or range' },
      },
    );
  });
});

describe('a change of a source', () => {
  it('adjusts the remaining limits, even below zero, and removes them', async () => {
    const { deps, id, stored, use } = await aSource({ per_minute: 10, per_day: 10, in_total: 100 });
    await use(6);
    await updateSource(deps, 'anna', id, { per_minute: 4, per_day: 20, in_total: 98 });
    expect(await stored()).toMatchObject({ minute_left: -2, day_left: 14, total_left: 92 });
    await updateSource(deps, 'anna', id, { per_day: null, in_total: null });
    expect(await stored()).toMatchObject({
      per_minute: 4,
      minute_left: -2,
      per_day: UNLIMITED,
      day_left: UNLIMITED - 6,
      total_left: UNLIMITED - 6,
    });
  });

  it('writes nothing if nothing changes, and is repeated after a concurrent change', async () => {
    const { deps, id, stored, auditOf, disturbed } = await aSource();
    const before = await stored();
    expect(await updateSource(deps, 'bert', id, { name: 'Page' })).toEqual(before);
    expect(await stored()).toEqual(before);
    const again = disturbed(() => updateSource(deps, 'anna', id, { window_days: 5 }));
    expect(await updateSource(again, 'bert', id, { name: 'New' })).toMatchObject({
      name: 'New',
      window_days: 5,
    });
    expect(again.writes()).toBe(2);
    expect((await auditOf())[0]).toMatchObject({
      who: 'bert',
      action: 'updated',
      label: 'Page',
      changes: [{ field: 'name', from: 'Page', to: 'New' }],
    });
    await expect(updateSource(deps, 'bert', 99, { name: 'x' })).rejects.toMatchObject({ kind: 'not_found' });
    await expect(updateSource(deps, 'bert', id, { addresses: ['1.2.3.4/33'] })).rejects.toMatchObject({
      fields: { addresses: expect.stringContaining('1.2.3.4/33') },
    });
  });

  it('allows posts from its origins only', async () => {
    const { deps, id } = await aSource({ origins: ['https://a.example', 'https://b.example'] });
    const other = await createSource(deps, 'anna', { name: 'B', src: 'b', origins: ['https://a.example'] });
    const open = async () =>
      Promise.all(['a', 'b', 'c'].map((one) => sourceStore.mayPostFrom(deps, `https://${one}.example`)));
    expect(await open()).toEqual([true, true, false]);
    await updateSource(deps, 'anna', id, { origins: ['https://b.example', 'https://c.example'] });
    expect(await open()).toEqual([true, true, true]);
    await updateSource(deps, 'anna', id, { name: 'Renamed' });
    await updateSource(deps, 'anna', other.source, { origins: [] });
    expect(await open()).toEqual([false, true, true]);
  });
});

describe('a key', () => {
  it('identifies its source and is accepted only in full', () => {
    const key = newSourceKey(systemRuntime, 12, 'b');
    expect(key).toMatch(/^lds_12b_[0-9a-f]{72}$/);
    expect(readSourceKey(key)).toEqual({ source: 12, slot: 'b', hash: secretHash(key) });
    expect(prefixOf(key)).toBe(key.slice(0, 'lds_12b_'.length + 6));
    const wrong = key.at(20) === '0' ? '1' : '0';
    for (const text of [
      '',
      `x${key}`,
      `${key}0`,
      key.slice(0, 20) + wrong + key.slice(21),
      key.toUpperCase(),
    ])
      expect(readSourceKey(text)).toBeUndefined();
    expect(newSourceKey(systemRuntime, 12, 'b')).not.toBe(key);
  });

  it('can be one of two, and works until it is revoked', async () => {
    const { deps, id, key, stored, auditOf, caller, use } = await aSource();
    expect((await stored()).keys).toEqual({
      a: { prefix: prefixOf(key), hash: secretHash(key), created_at: NOON, last_used_at: null },
    });
    const second = await createSourceKey(deps, 'anna', id);
    expect(readSourceKey(second.key)?.slot).toBe('b');
    await expect(createSourceKey(deps, 'anna', id)).rejects.toMatchObject({ code: 'two_keys' });
    await use(0);
    expect((await stored()).keys).toMatchObject({ a: { last_used_at: NOON }, b: { last_used_at: null } });
    expect(await readSource(deps, caller)).toMatchObject({ source: id });
    await revokeSourceKey(deps, 'bert', id, 'a');
    for (const call of [use(1), readSource(deps, caller)])
      await expect(call).rejects.toMatchObject({ kind: 'unauthenticated', code: 'invalid_key' });
    await use(1, { authorization: `bearer  ${second.key} ` });
    await expect(revokeSourceKey(deps, 'bert', id, 'a')).rejects.toMatchObject({ kind: 'not_found' });
    const [revoked, created] = await auditOf();
    expect(revoked).toMatchObject({
      who: 'bert',
      action: 'key_revoked',
      changes: [{ field: 'key', from: prefixOf(key), to: null }],
    });
    expect(created).toMatchObject({ action: 'key_created', changes: [{ to: prefixOf(second.key) }] });
  });

  it('is created by each of two concurrent admins, and revoked once', async () => {
    const { deps, id, stored, disturbed } = await aSource();
    const creating = disturbed(() => createSourceKey(deps, 'anna', id));
    await expect(createSourceKey(creating, 'bert', id)).rejects.toMatchObject({ code: 'two_keys' });
    expect(Object.keys((await stored()).keys)).toEqual(['a', 'b']);
    // Another key is in the slot, so the key to revoke is gone, but not by this call.
    const hash = (await stored()).keys.b?.hash;
    const revoking = disturbed(async () => {
      await revokeSourceKey(deps, 'anna', id, 'b');
      await createSourceKey(deps, 'anna', id);
    });
    await revokeSourceKey(revoking, 'bert', id, 'b');
    expect(revoking.writes()).toBe(2);
    expect((await stored()).keys.b?.hash).not.toBe(hash);
    expect((await stored()).keys.a).toBeDefined();
  });

  it.each([undefined, '', 'Bearer', 'Bearer x', `Bearer ${newSourceKey(systemRuntime, 99, 'a')}`])(
    'is invalid: %j',
    async (authorization) => {
      const { deps, caller, use } = await aSource();
      for (const call of [use(1, { authorization }), readSource(deps, { ...caller, authorization })])
        await expect(call).rejects.toMatchObject({ code: 'invalid_key' });
    },
  );
});

describe('the link to the specification', () => {
  it('is replaced or revoked immediately, and the last of two concurrent admins wins', async () => {
    const { deps, id, stored, auditOf, disturbed } = await aSource();
    const first = (await stored()).specification_token ?? '';
    const { specification_token: second = '' } = await regenerateSpecification(deps, 'anna', id);
    expect(second).not.toBe(first);
    await expect(sourceOfSpecification(deps, first)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await deps.table.get(keys.specification(first))).toBeUndefined();
    expect(await sourceOfSpecification(deps, second)).toMatchObject({ source: id });
    const both = disturbed(() => regenerateSpecification(deps, 'anna', id));
    expect((await switchOffSpecification(both, 'bert', id)).specification_token).toBeUndefined();
    expect(both.writes()).toBe(2);
    expect((await stored()).specification_token).toBeUndefined();
    const entries = (await auditOf()).length;
    await switchOffSpecification(deps, 'bert', id);
    expect(await auditOf()).toHaveLength(entries);
    expect((await auditOf())[0]).toMatchObject({
      who: 'bert',
      action: 'specification_switched_off',
      changes: [{ field: 'link_active', from: true, to: false }],
    });
    // Both turn it on again: each gets a working link, and the last one stays.
    const on = disturbed(() => regenerateSpecification(deps, 'anna', id));
    const { specification_token: last = '' } = await regenerateSpecification(on, 'bert', id);
    expect(on.writes()).toBe(2);
    expect((await sourceOfSpecification(deps, last)).specification_token).toBe(last);
    expect((await auditOf()).slice(0, 2)).toMatchObject([
      { who: 'bert', action: 'specification_renewed', changes: [] },
      { action: 'specification_renewed', changes: [{ field: 'link_active', from: false, to: true }] },
    ]);
  });

  it('does not open a source that has a newer link', async () => {
    const { table, deps, stored } = await aSource();
    const seen = await stored();
    const [, ...pointers] = sourceStore.tokenReplaced(seen, 'late');
    // Only the pointer of the link was written.
    await table.transact(pointers);
    expect(await sourceStore.byToken(deps, 'late')).toBeUndefined();
    expect(await sourceStore.byToken(deps, 'never')).toBeUndefined();
  });
});

describe('permission to post', () => {
  it.each([
    [[], '203.0.113.7', false],
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.6', false],
    [['203.0.113.0/29'], '203.0.113.7', true],
    [['203.0.113.0/29'], '203.0.113.8', false],
    [['203.0.113.7'], '::ffff:203.0.113.7', true],
    [['0.0.0.0/0'], '203.0.113.7', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::1'], '2001:db8::2', false],
    [['2001:db8::1'], '203.0.113.7', false],
    [['2001:db8::1', 'unknown', '203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], 'unknown', false],
    [['203.0.113.7', 'unknown'], 'fe80::1%eth0', false],
  ] as const)('with the addresses %j: %s is %s', (addresses, address, allowed) => {
    expect(isWithin(addresses, address)).toBe(allowed);
  });

  it.each([
    '203.0.113',
    '203.0.113.7/33',
    '203.0.113.7/',
    '203.0.113.7/8/8',
    '203.0.113.7/-1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '',
  ])('cannot be parsed from %j', (text) => {
    expect(rangeOf(text)).toBeUndefined();
  });

  it('compares origins exactly', async () => {
    const { deps, use, caller } = await aSource({ origins: ['https://landing.example'] });
    for (const origin of [
      'https://evillanding.example',
      'https://evil.landing.example',
      'https://landing.example.evil.example',
      'https://landing.example.',
      'https://landing.example:8443',
      'https://landing.exampl',
      'http://landing.example',
      'landing.example',
      'null',
      '',
    ]) {
      await expect(use(1, { origin }), origin).rejects.toMatchObject({ code: 'foreign_origin' });
      await expect(readSource(deps, { ...caller, origin }), origin).rejects.toMatchObject({
        code: 'foreign_origin',
      });
      expect(await sourceStore.mayPostFrom(deps, origin), origin).toBe(false);
    }
    await use(1, { origin: 'https://landing.example' });
  });

  it('is denied with a reason, and nothing is counted', async () => {
    const { deps, use, caller, stored, id } = await aSource({
      addresses: ['203.0.113.7'],
      origins: ['https://a.example'],
      per_day: 10,
    });
    for (const [change, code] of [
      [{ address: '203.0.113.8' }, 'address_refused'],
      [{ origin: 'https://b.example' }, 'foreign_origin'],
    ] as const) {
      await expect(use(3, change)).rejects.toMatchObject({ kind: 'forbidden', code });
      await expect(readSource(deps, { ...caller, ...change })).rejects.toMatchObject({ code });
    }
    expect(await stored()).toMatchObject({ day_left: 10 });
    await use(3, { origin: 'https://a.example' });
    expect(await stored()).toMatchObject({ day_left: 7 });
    await updateSource(deps, 'anna', id, { state: 'test' });
    await expect(use(3, { address: '203.0.113.8' })).rejects.toMatchObject({ code: 'address_refused' });
    expect(await stored()).toMatchObject({ day_left: 7 });
    await updateSource(deps, 'anna', id, { state: 'paused' });
    await expect(use(1)).rejects.toMatchObject({ kind: 'forbidden', code: 'source_paused' });
  });
});

describe('the limits of a source', () => {
  it('reset every minute, and return the remaining seconds', async () => {
    const { use, at, stored } = await aSource({ per_minute: 5 });
    await use(3);
    expect(await stored()).toMatchObject({ minute_left: 2 });
    await expect(use(3)).rejects.toMatchObject({ code: 'too_many_leads', kind: 'too_many', retryAfter: 40 });
    await use(2);
    await expect(use(6)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'too_many_leads',
      message: 'At most 5 leads per minute',
    });
    at('2026-05-04T12:01:00.000Z');
    await use(5);
    // A slow clock does not reopen the previous minute.
    at('2026-05-04T12:00:59.999Z');
    await expect(use(1)).rejects.toMatchObject({ retryAfter: 1 });
    expect(await stored()).toMatchObject({ minute_left: 0 });
  });

  it.each([
    ['2026-05-04T21:59:00.000Z', 60],
    ['2026-05-04T12:00:20.000Z', 10 * 3600],
    ['2027-03-27T23:00:00.000Z', 23 * 3600],
    ['2026-10-24T22:00:00.000Z', 25 * 3600],
  ])('of a day end at midnight in Berlin: at %s in %d seconds', async (now, seconds) => {
    const { use, at, stored } = await aSource({ per_day: 2 });
    at(now);
    await use(2);
    await expect(use(1)).rejects.toMatchObject({
      kind: 'too_many',
      message: 'At most 2 leads per day',
      retryAfter: seconds,
    });
    at(new Date(Date.parse(now) + seconds * 1000).toISOString());
    await use(1);
    expect(await stored()).toMatchObject({ day_left: 1 });
    // A slow clock does not reopen the previous day.
    at(now);
    await use(1);
    await expect(use(1)).rejects.toMatchObject({ kind: 'too_many' });
  });

  it('in total override the daily limit, and returned leads count for their own day only', async () => {
    const { deps, use, at, stored, id } = await aSource({ per_day: 4, in_total: 6 });
    const first = await use(4);
    at('2026-05-05T12:00:00.000Z');
    await expect(use(3)).rejects.toMatchObject({ kind: 'forbidden', code: 'source_full' });
    const second = await use(2);
    await sourceCounts.returnUse(deps, first, 1);
    expect(await stored()).toMatchObject({ day_left: 2, total_left: 1 });
    await sourceCounts.returnUse(deps, second, 1);
    expect(await stored()).toMatchObject({ day_left: 3, total_left: 2 });
    await sourceCounts.returnUse(deps, { source: 99, day: second.day }, 1);
    expect(await sourceStore.get(deps, 99)).toBeUndefined();
    await updateSource(deps, 'anna', id, { state: 'test' });
    at('2026-05-06T12:00:00.000Z');
    await use(3);
    // In test mode only the limit per minute applies.
    expect(await stored()).toMatchObject({ day_left: 3, total_left: 2, minute_left: 597 });
    await use(4);
    expect(await stored()).toMatchObject({ day_left: 3, total_left: 2, minute_left: 593 });
  });

  it('are returned once, even if every answer is lost and the write is repeated', async () => {
    const { table, deps, id, stored } = await aSource({ in_total: 5 });
    const counted = await countImported(deps, await stored(), 3);
    const { table: lossy } = new FaultyConnections(undefined).losingEveryAnswerOnce(table);
    for (const day of [counted.day, '2026-05-03'])
      await sourceCounts.returnUse({ table: lossy }, { source: id, day }, 1);
    expect(await stored()).toMatchObject({ total_left: 4, day_left: counted.day_left + 1 });
  });
});
