import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AssumedFormat } from '#functions/channels/assumed-format';
import { createHeroleadsChannel } from '#functions/channels/heroleads';
import { createSellanyleadChannel, SELLANYLEAD_FIELDS } from '#functions/channels/sellanylead';
import { createGuard } from '#functions/net/guard';
import { createHttp } from '#functions/net/http';
import { aBuyer } from '#test/factories/buyers';
import { aPayload } from '#test/factories/deliveries';
import { LEAD_ID } from '#test/factories/leads';
import { aPersonInFull } from '#test/factories/people';
import { cipher, SECRETS } from '#test/factories/secrets';
import { type StubServer, startStub } from '#test/harness/stub-server';

let partner: StubServer;
const http = createHttp(createGuard({ allowPrivate: true }), { connections: 2 });

beforeAll(async () => {
  partner = await startStub();
});
afterAll(() => partner.stop());
beforeEach(() => {
  partner.calls.length = 0;
  partner.answer = () => ({ status: 201, body: { success: true, lead_id: 4711 } });
});

const format = (changes: Partial<AssumedFormat> = {}): AssumedFormat => ({
  url: `${partner.url}/api/leads`,
  method: 'POST',
  encoding: 'json',
  auth: 'bearer',
  successField: undefined,
  idFields: 'id,lead_id,uuid,data.id,data.lead_id,lead.id',
  duplicate: /duplicate|already|exists/i,
  ...changes,
});
const hero = (
  changes: Partial<AssumedFormat> = {},
  ship: Parameters<typeof aPayload>[0] = {},
  timeout = 5000,
) =>
  createHeroleadsChannel({ http, cipher, format: format(changes) }).send(
    aPayload(ship),
    AbortSignal.timeout(timeout),
  );
const sell = (
  changes: Partial<AssumedFormat> = {},
  ship: Parameters<typeof aPayload>[0] = {},
  timeout = 5000,
) =>
  createSellanyleadChannel({
    http,
    format: format(changes),
    key: SECRETS.sellanyleadKey,
    fields: SELLANYLEAD_FIELDS,
  }).send(aPayload(ship), AbortSignal.timeout(timeout));

describe('HeroLeads', () => {
  it('gets the fields of Leadnodes', async () => {
    expect(await hero()).toMatchObject({ outcome: 'delivered', status_code: 201, external_id: '4711' });
    const [call] = partner.calls;
    expect(call).toMatchObject({ method: 'POST', url: '/api/leads' });
    expect(call?.headers.authorization).toBe(`Bearer ${SECRETS.heroleadsKey}`);
    expect(JSON.parse(call?.body ?? '')).toEqual({
      lead_type_id: 12,
      gender: 'f',
      first_name: 'Jürgen',
      last_name: "O'Brien-Müller",
      email: 'jana@example.org',
      phone: '+491701234567',
      country_code: 'DE',
      uuid: LEAD_ID,
      campaignid: 'seo',
      custom_data: { anlagebetrag: 25000.5, laufzeit: 36, click_id: 'click-1' },
    });
  });

  it('puts the mapping into custom_data and says m for Herr', async () => {
    await hero(
      {},
      {
        buyer: aBuyer({
          custom_data_mapping: { sum: 'anlagebetrag', ref: 'order_lead_id' },
          heroleads_lead_type_id: 'A-1',
        }),
        person: aPersonInFull({ anrede: 'Herr' }),
      },
    );
    expect(JSON.parse(partner.calls[0]?.body ?? '')).toMatchObject({
      gender: 'm',
      lead_type_id: 'A-1',
      custom_data: { sum: 25000.5, ref: '12-3' },
    });
  });

  it('is unknown to nobody without its settings', async () => {
    for (const name of ['heroleads_api_key', 'heroleads_lead_type_id'])
      expect(await hero({}, { buyer: aBuyer({ [name]: null }) })).toMatchObject({
        outcome: 'permanent',
        misconfigured: true,
      });
    expect(partner.calls).toHaveLength(0);
  });
});

describe('SellAnyLead', () => {
  it('gets the assumed fields, the mapping added', async () => {
    await sell({}, { buyer: aBuyer({ custom_data_mapping: { amount: 'laufzeit', extra: 'src' } }) });
    expect(JSON.parse(partner.calls[0]?.body ?? '')).toEqual({
      external_id: LEAD_ID,
      salutation: 'Frau',
      first_name: 'Jürgen',
      last_name: "O'Brien-Müller",
      email: 'jana@example.org',
      phone: '+491701234567',
      amount: '36',
      term_months: '36',
      click_id: 'click-1',
      source: 'seo',
      extra: 'seo',
    });
  });

  it('speaks forms where the partner wants them', async () => {
    await sell({ encoding: 'form', auth: 'body', method: 'PUT' });
    const [call] = partner.calls;
    expect(call).toMatchObject({ method: 'PUT' });
    expect(call?.headers['content-type']).toContain('x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toMatchObject({
      api_key: SECRETS.sellanyleadKey,
      first_name: 'Jürgen',
    });
  });

  it('is not called without a key', async () => {
    const keyless = createSellanyleadChannel({ http, format: format(), key: undefined, fields: {} });
    expect(await keyless.send(aPayload(), AbortSignal.timeout(1000))).toMatchObject({
      outcome: 'permanent',
      misconfigured: true,
    });
    expect(partner.calls).toHaveLength(0);
  });
});

describe.each([
  ['HeroLeads', hero, SECRETS.heroleadsKey],
  ['SellAnyLead', sell, SECRETS.sellanyleadKey],
] as const)('%s', (_, send, key) => {
  it.each([
    ['bearer', (call: StubServer['calls'][0]) => call.headers.authorization === `Bearer ${key}`],
    ['x-api-key', (call: StubServer['calls'][0]) => call.headers['x-api-key'] === key],
    ['query', (call: StubServer['calls'][0]) => call.url === `/api/leads?api_key=${key}`],
    [
      'body',
      (call: StubServer['calls'][0]) => (JSON.parse(call.body) as { api_key: string }).api_key === key,
    ],
  ] as const)('is authenticated by %s, which leaves no trace in the log', async (auth, reservations) => {
    partner.answer = (call) => ({
      status: 400,
      body: { error: `${call.url} ${call.body} ${JSON.stringify(call.headers)}` },
    });
    const report = await send({ auth });
    expect(reservations(partner.calls[0]!)).toBe(true);
    expect(JSON.stringify(report)).not.toContain(key);
  });

  it.each([
    [{ status: 200, body: '' }, null],
    [{ status: 200, body: { data: { id: 'x-1' } } }, 'x-1'],
    [{ status: 202, body: { status: 'success', lead: { id: 9 } } }, '9'],
  ])('is delivered by %j', async (answer, external_id) => {
    partner.answer = () => answer;
    expect(await send()).toMatchObject({ outcome: 'delivered', external_id });
  });

  it.each([
    [{ status: 200, body: { success: false, message: 'invalid phone' } }, 'permanent', false],
    [{ status: 200, body: { status: 'error' } }, 'permanent', false],
    [{ status: 422, body: { errors: { email: 'invalid' } } }, 'permanent', false],
    [{ status: 401, body: { error: 'no' } }, 'permanent', true],
    [{ status: 403, body: { error: 'no' } }, 'permanent', true],
    [{ status: 404, body: '<html>not found</html>' }, 'permanent', true],
    [{ status: 301, headers: { location: '/' } }, 'permanent', true],
    [{ status: 429, body: '' }, 'transient', false],
    [{ status: 500, body: 'oops' }, 'unknown', false],
    [{ status: 200, body: '<html>maintenance</html>' }, 'unknown', false],
    [{ status: 200, body: 'garbage{' }, 'unknown', false],
  ] as const)('reads %j', async (answer, outcome, misconfigured) => {
    partner.answer = () => answer;
    const report = await send();
    expect(report.outcome).toBe(outcome);
    expect(report.misconfigured ?? false).toBe(misconfigured);
    expect(report.error).not.toBeNull();
  });

  it.each([
    [{ status: 200, body: { status: 'duplicate' } }],
    [{ status: 409, body: { error: 'conflict' } }],
    [{ status: 422, body: { error: 'lead already known' } }],
    [{ status: 400, body: { message: 'Duplicate lead' } }],
  ])('knows a duplicate: %j', async (answer) => {
    partner.answer = () => answer;
    expect(await send()).toMatchObject({ outcome: 'permanent', error: expect.stringContaining('duplicate') });
    expect(await send({}, { afterUnknown: true })).toMatchObject({ outcome: 'delivered' });
  });

  it('does not know the outcome after a hang or a cut', async () => {
    partner.answer = () => 'cut';
    expect(await send()).toMatchObject({ outcome: 'unknown', status_code: null });
    partner.answer = () => 'hang';
    expect(await send({}, {}, 300)).toMatchObject({ outcome: 'unknown', status_code: null });
  });

  it('obeys a success field', async () => {
    partner.answer = () => ({ body: { result: { code: 'ok' } } });
    expect(await send({ successField: 'result.code' })).toMatchObject({ outcome: 'delivered' });
    partner.answer = () => ({ body: { success: true } });
    expect(await send({ successField: 'result.code' })).toMatchObject({ outcome: 'permanent' });
  });
});
