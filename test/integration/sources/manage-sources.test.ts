/** Managing sources as an admin. */
import { describe, expect } from 'vitest';
import { CONSENT_INTAKE_FIELDS, isOfConsent } from '#shared/rules/lead-fields';
import { tokenOf } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

describe('a source', () => {
  it('is created in test mode, changed, and shown with its two keys but without their values', async ({
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

  it('has wordings of consent, of which only those in use may be named', async ({ cloud: { admin } }) => {
    const { source } = await admin.ok('createSource', { body: { name: 'Affiliate', src: 'aff' } });
    const params = { sourceId: source.source_id };
    await admin.ok('addConsentText', { params, body: { text: 'Rufen Sie mich an.' } });
    const added = await admin.ok('addConsentText', { params, body: { text: 'Rufen Sie mich gerne an.' } });
    expect(added.source.consent_texts.map(({ text_id }) => text_id)).toEqual(['v1', 'v2']);
    const retired = await admin.ok('retireConsentText', { params: { ...params, textId: 'v1' } });
    expect(retired.source.consent_texts.map(({ text_id }) => text_id)).toEqual(['v2']);
    expect(await admin.ok('listConsentTexts', { params })).toEqual([
      { text_id: 'v2', text: 'Rufen Sie mich gerne an.', created_at: expect.any(String) },
    ]);
    const again = await admin.call('retireConsentText', { params: { ...params, textId: 'v1' } });
    expect(again).toMatchObject({ status: 404, body: { code: 'wording_not_found' } });
    const address = `/api/sources/${source.source_id}/consent-texts`;
    for (const text of [' ', 'x'.repeat(4001)])
      expect(await admin.raw('POST', address, { text })).toMatchObject({
        status: 400,
        body: { fields: { text: expect.any(String) } },
      });
    expect(await admin.raw('POST', address, { text: 'x'.repeat(1_000_000) })).toMatchObject({ status: 413 });
  });

  it('shows holders of its specification link only how to post', async ({ cloud: { admin, visitor } }) => {
    const { source } = await admin.ok('createSource', {
      body: {
        name: 'For admins',
        src: 'aff',
        mapping: { email: 'mail', vorname: "first 'name'" },
        defaults: { laufzeit: '12' },
        addresses: ['203.0.113.0/24'],
        per_day: 7,
      },
    });
    const params = { sourceId: source.source_id };
    const { key } = await admin.ok('createSourceKey', { params });
    const token = tokenOf(source.specification_link);
    const shown = await visitor.ok('viewSpecification', { params: { token } });
    expect(shown).toMatchObject({ src: 'aff', state: 'test', per_day: 7, by_address: true });
    expect(shown.fields.map(({ name }) => name)).toEqual([
      'external_id',
      'anrede',
      "first 'name'",
      'nachname',
      'mail',
      'telefon',
      'anlagebetrag',
      'laufzeit',
      'clickId',
      ...CONSENT_INTAKE_FIELDS,
    ]);
    expect(shown.fields.filter(({ ours, required }) => isOfConsent(ours) && required)).toHaveLength(3);
    const fieldOf = (ours: string) => shown.fields.find((field) => field.ours === ours);
    expect(fieldOf('email')).toMatchObject({ required: true, default: null, kind: 'text', max_length: 254 });
    expect(fieldOf('laufzeit')).toMatchObject({ required: false, default: '12', min: 0, max: 1200 });
    expect(fieldOf('clickId')).toMatchObject({ required: false, max_length: 200 });
    expect(fieldOf('anrede')).toMatchObject({ kind: 'choice', choices: ['Herr', 'Frau'] });
    const document = await visitor.ok('getIntakeOpenApi', { params: { token } });
    expect(Object.keys(document.paths as object)).toEqual(['/api/intake', '/api/intake/{externalId}']);
    for (const text of [JSON.stringify(shown), JSON.stringify(document)]) {
      expect(text).toContain('mail');
      for (const secret of ['For admins', '203.0.113', key.slice(4, 20), key.slice(-60), 'salt', 'hash'])
        expect(text).not.toContain(secret);
    }

    const link = (await admin.ok('regenerateSpecification', { params })).source.specification_link;
    const gone = { status: 404, body: { code: 'specification_not_found' } };
    expect(await visitor.call('viewSpecification', { params: { token } })).toMatchObject(gone);
    await visitor.ok('viewSpecification', { params: { token: tokenOf(link) } });
    const off = await admin.ok('switchOffSpecification', { params });
    expect(off.source.specification_link).toBeNull();
    await admin.ok('switchOffSpecification', { params });
    expect(await visitor.call('getIntakeOpenApi', { params: { token: tokenOf(link) } })).toMatchObject(gone);
    const again = await admin.ok('regenerateSpecification', { params });
    expect(again.source.specification_link).not.toBe(link);
    const { entries } = await admin.ok('listAudit', {
      query: { entity: 'source', entity_id: String(source.source_id) },
    });
    expect(entries.map(({ action }) => action).slice(0, 3)).toEqual([
      'specification_renewed',
      'specification_switched_off',
      'specification_renewed',
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
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
  ] as const)('is rejected with %j', async ([settings, field], { cloud: { admin } }) => {
    const reply = await admin.raw('POST', '/api/sources', { name: 'A', src: 'a', ...settings });
    expect(reply).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  });
});

it.for([
  [{ webhook: { url: 'ftp://a.example', events: ['lead.assigned'] } }, 'webhook.url'],
  [{ webhook: { url: 'https://a.example', events: [] } }, 'webhook.events'],
  [{ postback: { url: 'https://a.example/?n={nachname}', events: ['lead.assigned'] } }, 'postback.url'],
  [{ postback: { url: 'https://{clickId}.example/', events: ['lead.assigned'] } }, 'postback.url'],
] as const)('callbacks are rejected with %j', async ([body, field], { cloud: { admin } }) => {
  const { source } = await admin.ok('createSource', { body: { name: 'A', src: 'a' } });
  const reply = await admin.raw('PUT', `/api/sources/${source.source_id}/endpoints`, body);
  expect(reply).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
});
