/** Leads posted by sources with their keys: authenticated, limited, answered, and ingested once. */
import { describe, expect } from 'vitest';
import { INTAKE_ERRORS } from '#shared/contract/intake-errors';
import type { Sent } from '#shared/contract/schemas';
import { aPostedLead } from '#test/factories/sources';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

type Settings = Sent<'createSource', 'body'>;

/** A source, live by default, and its calls; all errors must be in its specification. */
async function aSource(
  { admin, visitor }: TestCloud,
  settings: Partial<Settings> = {},
  state = 'live' as const,
) {
  const { source } = await admin.ok('createSource', {
    body: { name: 'Page', src: 'page', consent: 'ignore', ...settings },
  });
  const params = { sourceId: source.source_id };
  const { key } = await admin.ok('createSourceKey', { params });
  if (state === 'live') await admin.ok('updateSource', { params, body: { state } });
  const headers = { authorization: `Bearer ${key}` };
  const documented = async (call: Promise<Awaited<ReturnType<typeof visitor.raw>>>) => {
    const reply = await call;
    const { status } = reply;
    if (status >= 400)
      expect(INTAKE_ERRORS).toContainEqual(
        expect.objectContaining({ status, code: (reply.body as { code: string }).code }),
      );
    return reply;
  };
  return {
    params,
    key,
    post: async (body: object, more: Record<string, string> = {}) =>
      documented(visitor.raw('POST', '/api/intake', body, { ...headers, ...more })),
    get: async (externalId: string) =>
      documented(visitor.raw('GET', `/api/intake/${encodeURIComponent(externalId)}`, undefined, headers)),
  };
}

const resultsOf = (reply: { body: unknown }) => (reply.body as { results: unknown[] }).results;

describe('the ingestion of a source', () => {
  it('ingests a lead once per ID, and returns its outcome', async ({ cloud }) => {
    const { buyer_id } = await openOrder(cloud.admin, { probability: 10 });
    const source = await aSource(cloud, { src: 'seo' });
    const lead = aPostedLead();
    const first = await source.post(lead);
    expect(first.status).toBe(202);
    const [result] = resultsOf(first);
    expect(result).toEqual({
      external_id: lead.external_id,
      status: 'accepted',
      lead_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    });
    expect(resultsOf(await source.post(lead))).toEqual([result]);
    expect((await source.get(lead.external_id)).body).toMatchObject({
      status: 'accepted',
      state: 'assigned',
      claim: null,
      buyer: null,
    });
    await cloud.admin.ok('updateSource', { params: source.params, body: { sees_buyers: true } });
    expect((await source.get(lead.external_id)).body).toMatchObject({ buyer: buyer_id });
    const { lead_id: leadId } = result as { lead_id: string };
    const { lead: stored } = await cloud.admin.ok('getLead', { params: { leadId } });
    expect(stored).toMatchObject({ src: 'seo', email: lead.email, buyer_id });
    expect(await todayOf(cloud, source.params.sourceId)).toBe(1);
  });

  it('answers for each of many leads, and ingests the valid ones', async ({ cloud }) => {
    const source = await aSource(cloud, { mapping: { email: 'mail' }, defaults: { laufzeit: '12' } });
    const { email, laufzeit: _, ...rest } = aPostedLead();
    const good = { ...rest, mail: email };
    const reply = await source.post({
      leads: [
        good,
        { ...good, external_id: 'no-mail', mail: 'nobody' },
        good,
        { ...good, external_id: 'x'.repeat(10_240) },
        { ...good, external_id: 'again' },
      ],
    });
    expect(reply.status).toBe(202);
    expect(resultsOf(reply)).toMatchObject([
      { status: 'accepted' },
      {
        external_id: 'no-mail',
        status: 'invalid',
        fields: { mail: 'Please enter a valid email address' },
      },
      { status: 'accepted' },
      { status: 'invalid', fields: { external_id: expect.stringContaining('1 to 200') } },
      { external_id: 'again', status: 'duplicate', error: 'This person was already sent within 30 days' },
    ]);
    expect(await todayOf(cloud, source.params.sourceId)).toBe(1);
    expect((await source.get('again')).body).toMatchObject({ status: 'duplicate', state: 'duplicate' });
    expect(resultsOf(await source.post({ ...good, external_id: 'again' }))).toMatchObject([
      { status: 'duplicate' },
    ]);
    await cloud.settled();
    const { sources } = await cloud.admin.ok('getSourceStats', { query: { time_range: 7 } });
    expect(sources.find(({ source_id }) => source_id === source.params.sourceId)).toMatchObject({
      accepted: 1,
      duplicate: 1,
      invalid: 2,
    });
    expect(await cloud.admin.ok('listSilentSources')).toEqual([]);
  });

  it('imports a file beyond the limits, each person once, and distributes it', async ({ cloud }) => {
    await openOrder(cloud.admin, { probability: 20 }, 100);
    const source = await aSource(cloud, { per_day: 3 });
    const leads = Array.from({ length: 12 }, () => aPostedLead());
    leads[2]!.telefon = leads[1]!.telefon;
    const call = async () =>
      (await cloud.admin.ok('importLeads', { params: source.params, body: { leads } })).results;
    const results = await call();
    const count = (status: string) => results.filter((one) => one.status === status).length;
    expect([count('accepted'), count('duplicate')]).toEqual([11, 1]);
    expect(await call()).toEqual(results);
    expect(await todayOf(cloud, source.params.sourceId)).toBe(11);
    expect((await source.post(aPostedLead())).status).toBe(429);
    await cloud.settled();
    const { body } = await source.get(leads[11]!.external_id);
    expect(body).toMatchObject({ state: 'assigned' });
  });

  it.for([
    ['501 leads', { leads: Array.from({ length: 501 }, () => ({})) }, 400, 'invalid_input'],
    ['no lead', { leads: [] }, 400, 'invalid_input'],
    ['a list', [], 400, 'invalid_input'],
    ['a text among leads', { leads: [{}, 'a text'] }, 400, 'invalid_input'],
    ['truncated JSON', '{"leads":[{"external_id":"a"},', 400, 'invalid_json'],
    ['a large body', { vorname: 'x'.repeat(600_000) }, 413, 'payload_too_large'],
    ['half a character', '{"external_id":"a","vorname":"\\ud800"}', 400, 'invalid_json'],
  ] as const)('rejects %s as a whole', async ([, body, status, code], { cloud }) => {
    const source = await aSource(cloud);
    expect(await source.post(body as object, { 'content-type': 'application/json' })).toMatchObject({
      status,
      body: { code },
    });
    expect(await todayOf(cloud, source.params.sourceId)).toBe(0);
  });

  it('rejects an invalid key, and a valid key allows only these calls', async ({ cloud }) => {
    const { visitor, admin } = cloud;
    const source = await aSource(cloud);
    const other = await aSource(cloud);
    const lead = aPostedLead();
    await source.post(lead);
    expect((await other.get(lead.external_id)).status).toBe(404);
    for (const authorization of ['', 'Bearer', `Bearer ${source.key}x`, `Basic ${source.key}`])
      expect(await visitor.raw('POST', '/api/intake', lead, { authorization })).toMatchObject({
        status: 401,
        body: { code: 'invalid_key' },
      });
    const headers = { authorization: `Bearer ${source.key}` };
    expect((await visitor.raw('GET', '/api/sources', undefined, headers)).status).toBe(401);
    expect((await visitor.raw('POST', '/api/leads', lead, headers)).status).toBe(401);
    const odd = async (body: string, type: string) => source.post(body as never, { 'content-type': type });
    expect((await odd('a lead', 'text/plain')).status).toBe(415);
    await admin.ok('revokeSourceKey', { params: { ...source.params, slot: 'a' } });
    expect((await source.post(aPostedLead())).status).toBe(401);
    expect((await source.get(lead.external_id)).status).toBe(401);
    // Without a valid key, the answer contains no validation errors.
    for (const refused of [
      odd('a lead', 'text/plain'),
      odd('{"leads":', 'application/json'),
      odd('x'.repeat(600_000), 'application/json'),
      source.post([]),
      source.get('x'.repeat(201)),
    ])
      expect((await refused).status).toBe(401);
  });

  it('repeats the answer for earlier leads, even if new ones are rejected', async ({ cloud }) => {
    // At the start of an hour, so that no minute or day ends between two calls.
    cloud.clock.set(new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000));
    const source = await aSource(cloud);
    const change = async (body: Sent<'updateSource', 'body'>) =>
      cloud.admin.ok('updateSource', { params: source.params, body });
    const [one, other] = [aPostedLead(), aPostedLead()];
    const samePerson = { ...one, external_id: `${one.external_id}-again` };
    const unreadable = { ...aPostedLead(), email: 'nobody' };
    const call = { leads: [one, other, samePerson, unreadable] };
    const first = resultsOf(await source.post(call));
    expect(first).toMatchObject(
      ['accepted', 'accepted', 'duplicate', 'invalid'].map((status) => ({ status })),
    );
    const today = await todayOf(cloud, source.params.sourceId);
    for (const [settings, status, code] of [
      [{ in_total: 2 }, 403, 'source_full'],
      [{ in_total: null, per_day: 2 }, 429, 'too_many_leads'],
      [{ per_day: null, state: 'paused' }, 403, 'source_paused'],
      [{ state: 'live', per_minute: 3 }, 400, 'too_many_leads'],
    ] as const) {
      await change(settings);
      const refused = { status, body: { code } };
      expect((await source.post(call)).body).toEqual({ results: first });
      expect(await todayOf(cloud, source.params.sourceId)).toBe(today);
      const withNew = { leads: [one, other, samePerson, aPostedLead()] };
      expect(await source.post(withNew)).toMatchObject(refused);
      if (status === 400) continue;
      expect(resultsOf(await source.post(one))).toEqual([first[0]]);
      expect(resultsOf(await source.post(samePerson))).toEqual([first[2]]);
      expect(await source.post({ ...one, nachname: 'Anders' })).toMatchObject({
        status: 409,
        body: { code: 'external_id_reused' },
      });
      for (const lead of [aPostedLead(), unreadable]) expect(await source.post(lead)).toMatchObject(refused);
    }
    await change({ per_minute: 600, state: 'test' });
    expect(resultsOf(await source.post({ leads: [aPostedLead(), other, samePerson] }))).toEqual([
      expect.objectContaining({ status: 'test' }),
      first[1],
      first[2],
    ]);
    await change({ state: 'paused', addresses: ['203.0.113.0/24'] });
    expect(await source.post(one)).toMatchObject({ status: 403, body: { code: 'address_refused' } });
    await change({ addresses: [] });
    await cloud.admin.ok('revokeSourceKey', { params: { ...source.params, slot: 'a' } });
    expect(await source.post(one)).toMatchObject({ status: 401, body: { code: 'invalid_key' } });
    expect(await todayOf(cloud, source.params.sourceId)).toBe(today);
  });

  it('validates everything in test mode, and stores nothing', async ({ cloud }) => {
    await openOrder(cloud.admin);
    const source = await aSource(cloud, { sees_buyers: true }, 'test' as never);
    const lead = aPostedLead();
    expect(resultsOf(await source.post({ leads: [lead, { ...lead, laufzeit: '' }] }))).toMatchObject([
      { status: 'test', predicted_outcome: { status: 'assigned', buyer: expect.any(String) } },
      { status: 'invalid', fields: { laufzeit: 'Required' } },
    ]);
    expect((await source.get(lead.external_id)).status).toBe(404);
    expect(await todayOf(cloud, source.params.sourceId)).toBe(0);
  });

  it('allows posts from pages of its origins, including forms', async ({ cloud }) => {
    const origin = 'https://landing.example';
    const source = await aSource(cloud, { origins: [origin] });
    const preflight = async (from: string) =>
      cloud.visitor.raw('OPTIONS', '/api/intake', undefined, {
        origin: from,
        'access-control-request-method': 'POST',
      });
    const allowed = await preflight(origin);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization');
    expect((await preflight('https://other.example')).headers.get('access-control-allow-origin')).toBeNull();
    const fields = new URLSearchParams(
      Object.entries(aPostedLead()).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = await source.post(fields as never, { ...form, origin });
    expect(posted).toMatchObject({ status: 202, body: { results: [{ status: 'accepted' }] } });
    expect(posted.headers.get('access-control-allow-origin')).toBe(origin);
    const foreign = await source.post(fields as never, { ...form, origin: 'https://other.example' });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });
});

async function todayOf({ admin }: TestCloud, sourceId: number): Promise<number | undefined> {
  return (await admin.ok('listSources')).find(({ source_id }) => source_id === sourceId)?.today;
}
