import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { channelFieldsOf, EMPTY_CHANNELS } from '#frontend/admin/buyers/channel-form';
import { createHttpDelivery } from '#functions/channels/http';
import { createPresetDelivery } from '#functions/channels/preset';
import { createGuard } from '#functions/net/guard';
import { createHttp } from '#functions/net/http';
import { ALL_CHANNELS, CHANNEL_DESCRIPTORS, isSecretSentElsewhere } from '#shared/channels/channels';
import { CHANNEL_EXTRAS } from '#shared/channels/extras';
import { aBuyer } from '#test/factories/buyers';
import { aPayload } from '#test/factories/deliveries';
import { LEAD_ID } from '#test/factories/leads';
import { aPersonInFull } from '#test/factories/people';
import { cipher, SECRETS } from '#test/factories/secrets';
import { startStub } from '#test/harness/stub-server';

const http = createHttpDelivery(
  {
    http: createHttp(createGuard({ allowPrivate: true }), { connections: 2 }),
    cipher,
    runtime: { now: () => new Date('2026-11-20T10:00:00.000Z') },
  },
  'assumed',
);

const partner = await startStub();
afterAll(() => partner.stop());
beforeEach(() => {
  partner.calls.length = 0;
  partner.answer = () => ({ status: 201, body: { success: true, lead_id: 4711 } });
});

type Ship = Parameters<typeof aPayload>[0];
const sending =
  (channel: 'heroleads' | 'sellanylead') =>
  (settings: Parameters<typeof aBuyer>[0] = {}, ship: Ship = {}) =>
    createPresetDelivery(channel, http, `${partner.url}/api/leads`).send(
      aPayload({
        buyer: aBuyer(settings),
        ...ship,
      }),
      AbortSignal.timeout(5000),
    );
const hero = sending('heroleads');
const sell = sending('sellanylead');
const sent = () => JSON.parse(partner.calls[0]?.body ?? '');

describe('HeroLeads', () => {
  it('sends the Leadnodes fields', async () => {
    expect(await hero()).toMatchObject({ outcome: 'delivered', status_code: 201, external_id: '4711' });
    const [call] = partner.calls;
    expect(call).toMatchObject({ method: 'POST', url: '/api/leads' });
    expect(call?.headers.authorization).toBe(`Bearer ${SECRETS.heroleadsKey}`);
    expect(sent()).toEqual({
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

  it('sends the mapping in custom_data and m for Herr', async () => {
    await hero(
      { custom_data_mapping: { sum: 'anlagebetrag', ref: 'order_lead_id' }, heroleads_lead_type_id: 'A-1' },
      { person: aPersonInFull({ anrede: 'Herr' }) },
    );
    expect(sent()).toMatchObject({
      gender: 'm',
      lead_type_id: 'A-1',
      custom_data: { sum: 25000.5, ref: '12-3' },
    });
  });

  it.each(['heroleads_api_key', 'heroleads_lead_type_id'])('makes no request without %s', async (name) => {
    expect(await hero({ [name]: null })).toMatchObject({ outcome: 'permanent', misconfigured: true });
    expect(partner.calls).toHaveLength(0);
  });
});

describe('SellAnyLead', () => {
  it('sends the assumed fields, including the mapping', async () => {
    await sell({ custom_data_mapping: { amount: 'laufzeit', extra: 'src' } });
    expect(partner.calls[0]?.headers.authorization).toBe(`Bearer ${SECRETS.sellanyleadKey}`);
    expect(sent()).toEqual({
      external_id: LEAD_ID,
      salutation: 'Frau',
      first_name: 'Jürgen',
      last_name: "O'Brien-Müller",
      email: 'jana@example.org',
      phone: '+491701234567',
      amount: '25000.5',
      term_months: '36',
      click_id: 'click-1',
      source: 'seo',
      custom_data: { amount: 36, extra: 'seo' },
    });
  });

  it('sends no authentication without a key', async () => {
    expect(await sell({ sellanylead_api_key: null })).toMatchObject({ outcome: 'delivered' });
    expect(partner.calls[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe.each([
  ['heroleads', hero, SECRETS.heroleadsKey],
  ['sellanylead', sell, SECRETS.sellanyleadKey],
] as const)('%s', (id, send, key) => {
  const [request, rules, idPath] = [`${id}_request`, `${id}_rules`, `${id}_id_path`] as const;

  it('sends a request edited by an admin, without a trace of the key', async () => {
    partner.answer = ({ url, headers, body }) => ({ status: 400, body: { url, headers, body } });
    const written = `PUT ${partner.url}/v2?key=$$secret$$\nX-Token: $$secret$$\nContent-Type: application/x-www-form-urlencoded\n\nname=$$nachname$$\nkey=$$secret$$`;
    const report = await send({ [request]: written });
    expect(partner.calls[0]).toMatchObject({
      method: 'PUT',
      url: `/v2?key=${key}`,
      headers: { 'x-token': key, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ name: "O'Brien-Müller", key }).toString(),
    });
    expect(JSON.stringify(report)).not.toContain(key);
  });

  it('evaluates answers with rules edited by an admin', async () => {
    const mended = {
      [rules]: [
        { subject: 'path', path: 'result.code', value: 'ok', verdict: 'accepted' },
        { subject: 'status', path: '', value: '2xx', verdict: 'refused' },
      ],
      [idPath]: 'result.no',
    };
    partner.answer = () => ({ body: { result: { code: 'ok', no: 'n-1' } } });
    expect(await send(mended)).toMatchObject({ outcome: 'delivered', external_id: 'n-1' });
    partner.answer = () => ({ body: { success: true } });
    expect(await send(mended)).toMatchObject({ outcome: 'permanent', refused: true });
  });

  it.each([
    [{ status: 200, body: '' }, null],
    [{ status: 200, body: { data: { id: 'x-1' } } }, 'x-1'],
    [{ status: 202, body: { status: 'success', lead: { id: 9 } } }, '9'],
    [{ status: 200, body: { success: true, message: 'no duplicate found' } }, null],
  ])('treats %j as delivered', async (answer, external_id) => {
    partner.answer = () => answer;
    expect(await send()).toMatchObject({ outcome: 'delivered', external_id });
  });

  it.each([
    [{ status: 200, body: { success: false, message: 'invalid phone' } }, 'permanent'],
    [{ status: 200, body: { status: 'error' } }, 'permanent'],
    [{ status: 422, body: { errors: { email: 'invalid' } } }, 'permanent'],
    [{ status: 500, body: { success: true } }, 'unknown'],
    [{ status: 500, body: { success: false } }, 'unknown'],
    [{ status: 503, body: { status: 'error' } }, 'unknown'],
    [{ status: 429, body: { status: 'error' } }, 'transient'],
    [{ status: 404, body: { success: false } }, 'permanent'],
    [{ status: 200, body: '<html>maintenance</html>' }, 'unknown'],
    [{ status: 200, body: 'ERROR: invalid campaign' }, 'unknown'],
    [{ status: 200, body: 'false' }, 'unknown'],
  ] as const)('reads %j', async (answer, outcome) => {
    partner.answer = () => answer;
    expect(await send()).toMatchObject({ outcome, error: expect.any(String) });
  });

  it.each([[{ status: 200, body: { status: 'duplicate' } }], [{ status: 409, body: { error: 'conflict' } }]])(
    'recognizes a duplicate: %j',
    async (answer) => {
      partner.answer = () => answer;
      expect(await send()).toMatchObject({
        outcome: 'permanent',
        error: expect.stringContaining('duplicate'),
      });
      expect(await send({}, { afterUnknown: true })).toMatchObject({ outcome: 'delivered' });
    },
  );

  it.each([500, 503, 429, 404])('does not treat an answer with status %i as a refusal', async (status) => {
    partner.answer = () => ({ status, body: { success: false, status: 'error' } });
    for (const afterUnknown of [false, true])
      expect((await send({}, { afterUnknown })).refused).toBeUndefined();
  });

  it('keeps a lead if the refusal may be caused by an earlier unanswered attempt', async () => {
    partner.answer = () => ({ status: 422, body: { error: 'lead already known' } });
    expect(await send()).toMatchObject({ outcome: 'permanent', refused: true });
    expect((await send({}, { afterUnknown: true })).refused).toBeUndefined();
  });

  it('is shown as the preset in the form', () => {
    const { fields } = CHANNEL_DESCRIPTORS[id];
    const shown = fields.flatMap((field) => (field.kind === 'area' ? [field.preset] : []));
    const preview = (text: string | null) => CHANNEL_EXTRAS[id]?.preview(aBuyer({ [request]: text }));
    expect(preview(null)).toContain(`https://api.${id}.`);
    expect(shown.map(preview)).toEqual([preview(null)]);
  });

  it('is stored as empty until it is changed', () => {
    const form = { ...EMPTY_CHANNELS, buyer_type: 'prepay', [CHANNEL_DESCRIPTORS[id].flag]: true };
    expect(form[request]).toMatch(/^POST /);
    expect(form[rules]).toHaveLength(7);
    expect(channelFieldsOf(form)).toMatchObject({ [request]: '', [rules]: [] });
    const changed = { [request]: `${form[request]} `, [rules]: form[rules].slice(1) };
    expect(channelFieldsOf({ ...form, ...changed })).toMatchObject(changed);
  });

  it.each([
    ['https://api.example.com', 'POST'],
    ['POST https://$$src$$.example.com', 'host name'],
    ['POST https://api.example.com\nApi-Key: 12', 'looks like a secret'],
    ['POST https://api.example.com\n\n{ "a": $$b$$ }', 'Unknown macro $$b$$'],
  ])('rejects the request %j', (text, problem) => {
    expect(CHANNEL_EXTRAS[id]?.problems(aBuyer({ [request]: text }))[request]).toContain(problem);
  });

  it('requires the key again for a change from the preset’s server, and back to it', () => {
    const secret = ALL_CHANNELS.flatMap(({ fields }) => fields).find(({ name }) => name === `${id}_api_key`);
    if (secret?.kind !== 'secret') throw new Error('There is no such secret');
    const host = id === 'heroleads' ? 'api.heroleads.de' : 'api.sellanylead.com';
    const [preset, same, other] = [null, `PUT https://${host}/v2`, `PUT https://${host}.example/v2`].map(
      (text) => aBuyer({ [request]: text }),
    );
    expect(isSecretSentElsewhere(secret, preset!, same!)).toBe(false);
    expect(isSecretSentElsewhere(secret, preset!, other!)).toBe(true);
    expect(isSecretSentElsewhere(secret, other!, preset!)).toBe(true);
  });
});
