/** What admins do with sources. */
import { describe, expect } from 'vitest';
import { it } from '#test/harness/fixtures';

describe('source', () => {
  it('is made in test, changed, and shown with its two keys, never with the keys themselves', async ({
    cloud: { admin },
  }) => {
    const { source } = await admin.ok('createSource', { body: { name: 'Affiliate', src: 'aff' } });
    expect(source).toMatchObject({ state: 'test', window_days: 30, per_day: null, keys: [], today: 0 });
    const params = { sourceId: source.source_id };
    const { key } = await admin.ok('createSourceKey', { params });
    expect(key).toMatch(new RegExp(`^lds_${source.source_id}a_[0-9a-f]{72}$`));
    await admin.ok('createSourceKey', { params });
    expect(await admin.call('createSourceKey', { params })).toMatchObject({
      status: 409,
      body: { code: 'two_keys' },
    });
    const body = {
      state: 'live' as const,
      mapping: { email: 'mail' },
      origins: ['https://a.example'],
      per_day: 5,
    };
    await admin.ok('updateSource', { params, body });
    const listed = await admin.call('listSources');
    const shown = JSON.stringify(listed.body);
    expect(shown).not.toContain(key);
    expect(shown).not.toMatch(/salt|hash/);
    const row = (await admin.ok('listSources')).find(({ source_id }) => source_id === source.source_id);
    expect(row).toMatchObject({ ...body, keys: [{ slot: 'a', last_used_at: null }, { slot: 'b' }] });
    await admin.ok('revokeSourceKey', { params: { ...params, slot: 'a' } });
    const { entries } = await admin.ok('listAudit', {
      query: { entity: 'source', entity_id: String(source.source_id) },
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'key_revoked',
      'updated',
      'key_created',
      'key_created',
      'created',
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.slice(-64));
  });

  it('is not changed over an edit of somebody else', async ({ cloud: { admin } }) => {
    const { source } = await admin.ok('createSource', { body: { name: 'One', src: 'one' } });
    const params = { sourceId: source.source_id };
    await admin.ok('updateSource', { params, body: { per_day: 7, seen: { per_day: null } } });
    expect(
      await admin.call('updateSource', { params, body: { per_day: 9, seen: { per_day: null } } }),
    ).toMatchObject({
      status: 409,
      body: { code: 'edited_meanwhile', fields: { per_day: expect.any(String) } },
    });
  });

  it.for([
    [{ addresses: ['999.1.1.1'] }, 'addresses'],
    [{ addresses: ['10.0.0.0/99'] }, 'addresses'],
    [{ origins: ['https://a.example/path'] }, 'origins.0'],
    [{ mapping: { email: '' } }, 'mapping'],
    [{ mapping: { nobody: 'x' } }, 'mapping'],
    [{ mapping: { constructor: 'x' } }, 'mapping'],
    [{ per_minute: 0 }, 'per_minute'],
    [{ window_days: 366 }, 'window_days'],
  ] as const)('is refused with %j', async ([settings, field], { cloud: { admin } }) => {
    const reply = await admin.raw('POST', '/api/sources', { name: 'A', src: 'a', ...settings });
    expect(reply).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  });
});
