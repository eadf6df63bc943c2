import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpDelivery } from '#functions/channels/http';
import { createGuard } from '#functions/net/guard';
import { createHttp } from '#functions/net/http';
import type { AnswerRule } from '#shared/rules/answer-rules';
import { aBuyer } from '#test/factories/buyers';
import { aPayload } from '#test/factories/deliveries';
import { LEAD_ID } from '#test/factories/leads';
import { cipher, SECRETS } from '#test/factories/secrets';
import { startStub } from '#test/harness/stub-server';

const SIGNING = `whsec_${Buffer.from('planted-signing-secret-of-32-b!!').toString('base64')}`;
const NOW = new Date('2026-11-20T12:00:00.500Z');

const http = createHttp(createGuard({ allowPrivate: true }), { connections: 2 });
const channel = createHttpDelivery({ http, cipher, runtime: { now: () => NOW } }, 'known');

const partner = await startStub();
afterAll(() => partner.stop());
beforeEach(() => {
  partner.calls.length = 0;
  partner.answer = () => ({ status: 201, body: { id: 4711 } });
});

const payload = (settings: Parameters<typeof aBuyer>[0] = {}, afterUnknown = false) =>
  aPayload({ buyer: aBuyer({ http_url: `${partner.url}/leads`, ...settings }), afterUnknown });
const send = (settings: Parameters<typeof aBuyer>[0] = {}, afterUnknown = false) =>
  channel.send(payload(settings, afterUnknown), AbortSignal.timeout(5000));
const rule = (subject: AnswerRule['subject'], value: string, verdict: AnswerRule['verdict'], path = '') => ({
  subject,
  value,
  verdict,
  path,
});

describe('the HTTP channel', () => {
  it.each(['POST', 'PUT', 'PATCH'])('sends a %s request as configured', async (http_method) => {
    const report = await send({
      http_method,
      http_url: `${partner.url}/leads/$$lead_id$$?src=$$src$$`,
      http_headers: [{ name: 'X-Name', value: '$$vorname$$' }],
      http_body: '{"tel": "$$telefon:e164$$", "came": "$$date:iso$$", "amount": $$anlagebetrag:cents$$}',
    });
    expect(report).toMatchObject({
      outcome: 'delivered',
      status_code: 201,
      external_id: '4711',
      error: null,
    });
    const [call] = partner.calls;
    expect(call).toMatchObject({ method: http_method, url: `/leads/${LEAD_ID}?src=seo` });
    expect(call?.headers).toMatchObject({
      authorization: `Bearer ${SECRETS.httpSecret}`,
      'content-type': 'application/json',
      'x-name': 'J%C3%BCrgen',
    });
    expect(JSON.parse(call?.body ?? '')).toEqual({
      tel: '+491701234567',
      came: '2026-11-20T10:00:00.000Z',
      amount: 2_500_050,
    });
    expect(report.request).toContain(`${http_method} http://127.0.0.1`);
    expect(JSON.stringify(report)).not.toContain(SECRETS.httpSecret);
  });

  it('reports a secret that is invalid in a header', async () => {
    const report = await send({ http_secret: cipher.encrypt('••••••••') });
    expect(report).toMatchObject({
      error: expect.stringMatching(/^The secret contains/),
      misconfigured: true,
    });
    expect(partner.calls).toEqual([]);
  });

  it('reports a timeout of the partner, whichever side ended the call', async () => {
    partner.answer = () => 'hang';
    const report = await channel.send(payload(), AbortSignal.timeout(300));
    expect(report).toMatchObject({ outcome: 'unknown', error: 'The partner did not answer (TIMEOUT)' });
  });

  it('sends GET requests without a body', async () => {
    await send({ http_method: 'GET', http_url: `${partner.url}/in?mail=$$email$$`, http_body: null });
    expect(partner.calls[0]).toMatchObject({ method: 'GET', url: '/in?mail=jana%40example.org', body: '' });
    expect(partner.calls[0]?.headers['content-type']).toBeUndefined();
  });

  it('signs with Standard Webhooks, with the same ID for all attempts', async () => {
    const settings = { http_signature: 'standard_webhooks', http_signing_secret: cipher.encrypt(SIGNING) };
    const report = await send(settings);
    await send(settings, true);
    const [first, second] = partner.calls;
    expect(first?.headers['webhook-id']).toBe(`lead_${LEAD_ID}_7`);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(first?.headers['webhook-timestamp']).toBe(String(Math.floor(NOW.getTime() / 1000)));
    expect(first?.headers['webhook-signature']).toBe(
      new Webhook(SIGNING).sign(`lead_${LEAD_ID}_7`, NOW, first?.body ?? ''),
    );
    expect(JSON.stringify(report)).not.toContain(SIGNING);
  });

  it.each([
    [409, {}, [], 'permanent', 'duplicate'],
    [400, {}, [], 'permanent', 'refused'],
    [401, {}, [], 'permanent', 'credentials'],
    [302, {}, [], 'permanent', 'address'],
    [429, {}, [], 'transient', 'later'],
    [500, {}, [], 'unknown', 'internal error'],
    [200, '<!doctype html>', [], 'unknown', 'No rule matches'],
    [200, { ok: false }, [rule('path', 'true', 'accepted', 'ok')], 'unknown', 'No rule matches'],
    [200, '{"ok": tr', [rule('path', 'true', 'accepted', 'ok')], 'unknown', 'No rule matches'],
    [
      200,
      '{"__proto__":{"ok":true}}',
      [rule('path', 'true', 'accepted', 'ok')],
      'unknown',
      'No rule matches',
    ],
    [200, '\u0000\u001b[2J\u2028', [], 'unknown', 'No rule matches'],
    [200, { code: -4 }, [rule('path', '-4', 'retry', 'code')], 'transient', 'later'],
    [200, { code: -5 }, [rule('path', '-5', 'refused', 'code')], 'permanent', 'refused'],
    [500, 'already there', [rule('text', 'already', 'duplicate')], 'permanent', 'duplicate'],
    [422, {}, [rule('status', '422', 'retry')], 'transient', 'later'],
  ] as const)('evaluates %i %j with %j as %s', async (status, body, http_rules, outcome, error) => {
    partner.answer = () => ({ status, body });
    const report = await send({ http_rules: [...http_rules] });
    expect(report).toMatchObject({ outcome, status_code: status });
    expect(report.error).toContain(error);
    expect(report.misconfigured === true).toBe([401, 302].includes(status));
  });

  it.each([
    [409, {}, [], true],
    [200, 'blocked: test', [rule('text', 'blocked', 'refused')], true],
    [200, 'blocked: wrong token', [rule('text', 'blocked', 'refused')], false],
    [403, {}, [rule('status', '4xx', 'refused')], false],
  ] as const)(
    'treats %i %j with %j as a refusal of the lead: %s',
    async (status, body, http_rules, refused) => {
      partner.answer = () => ({ status, body });
      const report = await send({ http_rules: [...http_rules] });
      expect([report.outcome, report.refused === true]).toEqual(['permanent', refused]);
    },
  );

  it.each([
    [422, { error: 'E-mail address has been taken' }],
    [422, { error: 'Kontakt bereits vorhanden' }],
    [400, 'lead already exists'],
    [409, { error: 'conflict' }],
  ])(
    'does not treat %i %j as a refusal after an unknown outcome, even with a broad rule',
    async (status, body) => {
      partner.answer = () => ({ status, body });
      const http_rules = [rule('status', '4xx', 'refused')];
      const after = await send({ http_rules }, true);
      expect(after).toMatchObject({
        outcome: 'permanent',
        error: expect.stringMatching(/earlier attempt arrived$/),
      });
      expect(after.refused).toBeUndefined();
      expect((await send({ http_rules })).refused).toBe(true);
      partner.answer = () => ({ status: 422, body: { error: 'Unknown region' } });
      expect((await send({ http_rules }, true)).refused).toBe(true);
    },
  );

  it('treats a duplicate after an unknown outcome as delivered, with its ID', async () => {
    partner.answer = () => ({ status: 409, body: { id: 'known-1' } });
    expect(await send({}, true)).toMatchObject({ outcome: 'delivered', external_id: 'known-1' });
  });

  it.each([
    ['<r><lead no="77"/></r>', 'r.lead.@no', '77'],
    ['12345', '$', '12345'],
    ['{"a":[{"id":"x"}]}', 'a[0].id', 'x'],
    ['{"a":1}', 'b', null],
  ])('finds the ID in %s at %s', async (body, http_id_path, id) => {
    partner.answer = () => ({ status: 200, body });
    expect(await send({ http_id_path })).toMatchObject({ outcome: 'delivered', external_id: id });
  });

  it.each([
    [{ http_url: null }, 'Enter an address'],
    [{ http_body: '{' }, 'This is not JSON'],
    [{ http_secret: null }, 'secret of the HTTP settings is missing'],
    [{ http_secret: 'nonsense' as never }, 'cannot be read'],
    [{ http_signature: 'standard_webhooks' }, 'secret of the HTTP settings is missing'],
  ])('makes no request with %j', async (settings, error) => {
    const report = await send(settings);
    expect(report).toMatchObject({ outcome: 'permanent', misconfigured: true, request: null });
    expect(report.error).toContain(error);
    expect(partner.calls).toEqual([]);
  });

  it('does not call private addresses', async () => {
    const guarded = createHttp(createGuard({ allowPrivate: false }), { connections: 1 });
    const inside = createHttpDelivery({ http: guarded, cipher, runtime: { now: () => NOW } }, 'known');
    const report = await inside.send(payload(), AbortSignal.timeout(5000));
    expect(report).toMatchObject({
      outcome: 'permanent',
      misconfigured: true,
      answer: null,
      error: 'The partner has no public address',
    });
    expect(partner.calls).toEqual([]);
  });

  it('shares its limit per server, not per path', () => {
    const at = (http_url: string) => channel.destination?.(payload({ http_url }));
    expect(at('https://crm.example/a/$$lead_id$$')).toBe('https://crm.example');
    expect(at('https://CRM.example/b')).toBe('https://crm.example');
  });
});

describe('a test request', () => {
  const trial = (settings: Parameters<typeof aBuyer>[0]) =>
    channel.tryOut?.(payload(settings), AbortSignal.timeout(5000));

  it('shows the request, the answer and the result of the rules', async () => {
    partner.answer = ({ body }) => ({
      status: 200,
      headers: { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-request-id': 'r-1' },
      body: `{"state":"stored","you_sent":${JSON.stringify(body)},"id":"p-1"}`,
    });
    const http_rules = [rule('status', '409', 'duplicate'), rule('path', 'stored', 'accepted', 'state')];
    expect(await trial({ http_rules, http_url: `${partner.url}/leads?x=1` })).toMatchObject({
      report: { outcome: 'delivered', external_id: 'p-1' },
      request: {
        method: 'POST',
        url: `${partner.url}/leads?x=1`,
        headers: { 'content-type': 'application/json', authorization: 'Bearer ********' },
        body: '{ "email": "jana@example.org" }',
      },
      answer: {
        status: 200,
        headers: { 'x-request-id': 'r-1' },
        body: expect.stringContaining('jana@example.org'),
      },
      judgement: { verdict: 'accepted', rule: 1 },
    });
    expect(Object.keys((await trial({ http_rules }))?.answer?.headers ?? {})).not.toContain('set-cookie');
  });

  it.each([
    ['bearer', {}],
    ['basic', { http_user: 'user' }],
    ['header', { http_key_name: 'x-key' }],
    ['query', { http_key_name: 'key' }],
    ['macro', { http_body: '{"k":"$$secret$$","l":"$$secret2$$"}' }],
  ])('shows no secret of %s, even if the partner repeats it', async (http_auth, settings) => {
    partner.answer = ({ url, headers, body }) => ({ status: 400, body: { url, headers, body } });
    const all = {
      ...settings,
      http_auth,
      http_second_secret: cipher.encrypt('second-Geheim-1'),
      http_signature: 'standard_webhooks',
      http_signing_secret: cipher.encrypt(SIGNING),
    };
    const shown = JSON.stringify([await trial(all), await send(all)]);
    expect(partner.calls).toHaveLength(2);
    const basic = Buffer.from(`user:${SECRETS.httpSecret}`).toString('base64');
    for (const secret of [SECRETS.httpSecret, 'second-Geheim-1', SIGNING, basic])
      expect(shown).not.toContain(secret);
  });

  it('shows why nothing was sent', async () => {
    expect(await trial({ http_body: '{' })).toMatchObject({
      report: { outcome: 'permanent', error: expect.stringContaining('This is not JSON') },
      request: null,
      answer: null,
      judgement: null,
    });
  });
});
