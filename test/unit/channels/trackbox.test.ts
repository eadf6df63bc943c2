import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTrackboxChannel } from '#functions/channels/trackbox';
import { createGuard } from '#functions/net/guard';
import { createHttp } from '#functions/net/http';
import { aBuyer } from '#test/factories/buyers';
import { aPayload } from '#test/factories/deliveries';
import { LEAD_ID } from '#test/factories/leads';
import { aPersonInFull } from '#test/factories/people';
import { cipher, SECRETS } from '#test/factories/secrets';
import { startStub } from '#test/harness/stub-server';

const http = createHttp(createGuard({ allowPrivate: true }), { connections: 2 });
const channel = (phonePlus = false) => createTrackboxChannel({ http, cipher, scheme: 'http', phonePlus });
const LOGIN_URL = 'https://box.example/u/d/AUTOLOGIN-9f8e7d';
const ACCEPTED = {
  status: true,
  data: LOGIN_URL,
  error: [],
  addonData: {
    status: 'successful',
    data: { customerId: 'PLAYER-1', uniqueid: 'abc', id: '77', loginURL: LOGIN_URL, brokerUrl: 'xxx' },
  },
  originalData: [],
};

const box = await startStub();
afterAll(() => box.stop());
beforeEach(() => {
  box.calls.length = 0;
  // Real boxes send JSON with an HTML content type.
  box.answer = () => ({ body: ACCEPTED, headers: { 'content-type': 'text/html; charset=UTF-8' } });
});

const send = (changes: Parameters<typeof aPayload>[0] = {}, timeout = 5000, phonePlus = false) =>
  channel(phonePlus).send(
    aPayload({ buyer: aBuyer({ trackbox_domain: box.host }), ...changes }),
    AbortSignal.timeout(timeout),
  );
const sentBody = () => JSON.parse(box.calls[0]?.body ?? '{}') as Record<string, string>;

describe('TrackBox', () => {
  it('sends a lead as documented', async () => {
    await send();
    const [call] = box.calls;
    expect(call).toMatchObject({ method: 'POST', url: '/api/signup/procform' });
    expect(call?.headers).toMatchObject({
      'x-trackbox-username': 'boxuser',
      'x-trackbox-password': SECRETS.trackboxPassword,
      'x-api-key': SECRETS.trackboxKey,
      'content-type': 'application/json',
    });
    expect(call?.headers['user-agent']).toContain('Mozilla');
    const { password, ...body } = sentBody();
    expect(body).toEqual({
      ai: '2958015',
      ci: '1',
      gi: '22',
      userip: '0.0.0.0',
      firstname: 'Jürgen',
      lastname: "O'Brien-Müller",
      email: 'jana@example.org',
      phone: '491701234567',
      so: 'seo',
      sub: 'click-1',
      lg: 'DE',
      MPC_10: LEAD_ID,
    });
    expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^A-Za-z\d]).{12}$/);
  });

  it('creates a new password each time and stores none', async () => {
    const first = await send();
    const second = await send();
    const [one, other] = box.calls.map(({ body }) => (JSON.parse(body) as { password: string }).password);
    expect(one).not.toBe(other);
    expect(JSON.stringify([first, second])).not.toContain(one);
  });

  it('applies the mapping, and adds the plus sign if configured', async () => {
    const mapping = { MPC_1: 'clickId', MPC_2: 'anlagebetrag', sub: 'src', MPC_10: 'laufzeit' };
    const buyer = aBuyer({ trackbox_domain: box.host, trackbox_custom_mapping: mapping });
    await send({ buyer }, 5000, true);
    expect(sentBody()).toMatchObject({
      MPC_1: 'click-1',
      MPC_2: '25000.5',
      sub: 'seo',
      MPC_10: '36',
      phone: '+491701234567',
    });
  });

  it('omits empty fields', async () => {
    await send({ person: { ...aPersonInFull(), src: undefined, clickId: undefined } });
    expect(Object.keys(sentBody())).not.toContain('so');
    expect(Object.keys(sentBody())).not.toContain('sub');
  });

  it('keeps all IDs and removes the login link', async () => {
    const report = await send();
    expect(report).toMatchObject({
      outcome: 'delivered',
      status_code: 200,
      external_id: 'id=77 customerId=PLAYER-1 uniqueid=abc',
      error: null,
    });
    expect(JSON.stringify(report)).not.toContain('AUTOLOGIN');
  });

  it.each([
    [{ status: 1, addonData: { data: { id: 5 } } }, '5'],
    [{ status: '1', addonData: { data: { uniqueid: 'u', customerId: 'u' } } }, 'u'],
    [{ status: true, data: LOGIN_URL }, null],
  ])('is delivered for any spelling: %j', async (body, external_id) => {
    box.answer = () => ({ body });
    expect(await send()).toMatchObject({ outcome: 'delivered', external_id });
  });

  it.each([
    [
      {
        status: false,
        message: 'User and password doesnt match, please supply support with case ID: 1',
        code: 401,
      },
      'permanent',
      true,
    ],
    [{ status: false, message: 'Cant Pull Data, please contact support' }, 'permanent', true],
    [{ status: false, data: 'No available brands' }, 'transient', false],
    [{ status: false, errorMessage: 'Daily limit reached' }, 'transient', false],
    [{ status: false, data: [{ message: 'email is not valid' }] }, 'permanent', false],
    [{ status: false, error: ['affiliate does not exist'] }, 'permanent', false],
    [{ status: false, data: 'Lead already exists' }, 'permanent', false],
  ])('detects a failure in a 200 answer: %j', async (body, outcome, misconfigured) => {
    box.answer = () => ({ body });
    const report = await send();
    expect(report).toMatchObject({ outcome, status_code: 200 });
    expect(report.misconfigured ?? false).toBe(misconfigured);
  });

  it('does not take the reason from an echo of the request', async () => {
    box.answer = () => ({ body: { status: false, message: 'no', addonData: { data: 'already exists' } } });
    expect((await send()).error).toBe('TrackBox refused the lead');
  });

  it('treats a duplicate after a lost answer as delivered, otherwise as refused', async () => {
    box.answer = () => ({ body: { status: false, data: 'Email already exists' } });
    expect(await send({ afterUnknown: true })).toMatchObject({
      outcome: 'delivered',
      answer: expect.stringMatching(/^Probably delivered .*Email already exists/),
    });
    expect(await send()).toMatchObject({
      outcome: 'permanent',
      error: expect.stringContaining('duplicate'),
    });
  });

  it.each([
    ['a hang', () => 'hang' as const, 300],
    ['a cut connection', () => 'cut' as const, 5000],
    ['half an answer', () => 'cut-answer' as const, 5000],
    ['garbage', () => ({ body: '\u0000\u0001 nonsense' }), 5000],
    ['an HTML page with 200', () => ({ body: '<html>Welcome</html>' }), 5000],
    ['a 500', () => ({ status: 500, body: '<html>Error</html>' }), 5000],
    ['a 500 with JSON', () => ({ status: 500, body: { status: false, message: 'oops' } }), 5000],
  ])('has an unknown outcome after %s', async (_, answer, timeout) => {
    box.answer = answer;
    expect(await send({}, timeout)).toMatchObject({ outcome: 'unknown' });
  });

  it('respects Retry-After, and treats a firewall as a temporary failure', async () => {
    box.answer = () => ({ status: 429, headers: { 'retry-after': '120' }, body: 'slow down' });
    expect(await send()).toMatchObject({ outcome: 'transient', status_code: 429, retryAfter: 120 });
    box.answer = () => ({ status: 403, body: '<html>error code: 1010</html>' });
    expect(await send()).toMatchObject({ outcome: 'transient', status_code: 403 });
  });

  it.each([
    ['a number of seconds', '120', 120],
    ['an hour', '3600', 3600],
    ['at most an hour', '3601', 3600],
    ['at most an hour, for any value', '99999999', 3600],
    ['a date', 'Sun, 22 Nov 2026 10:05:00 GMT', 300],
    ['a date in RFC 850 format', 'Sunday, 22-Nov-26 10:05:00 GMT', 300],
    ['a date in asctime format', 'Sun Nov 22 10:05:00 2026', 300],
    ['a date without a bound', 'Mon, 23 Nov 2026 10:00:00 GMT', 3600],
    ['a date in the past', 'Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ['nonsense', 'soon 5', undefined],
    ['a date that does not exist', 'Sun, 42 Nov 2026 10:05:00 GMT', undefined],
    ['a negative number', '-5', undefined],
  ])('reads Retry-After as %s', async (_, header, seconds) => {
    const date = 'Sun, 22 Nov 2026 10:00:00 GMT';
    box.answer = () => ({ status: 503, headers: { 'retry-after': header, date }, body: '' });
    expect((await send()).retryAfter).toBe(seconds);
  });

  it('compares a Retry-After date with its own clock if the answer has no date', async () => {
    const at = new Date(Date.now() + 600_000).toUTCString();
    box.answer = () => ({ status: 429, headers: { 'retry-after': at, date: '' }, body: '' });
    const { retryAfter = 0 } = await send();
    expect(retryAfter).toBeGreaterThan(500);
    expect(retryAfter).toBeLessThanOrEqual(600);
  });

  it('follows no redirect', async () => {
    box.answer = () => ({ status: 302, headers: { location: `${box.url}/elsewhere` } });
    expect(await send()).toMatchObject({ outcome: 'permanent', status_code: 302, misconfigured: true });
    expect(box.calls).toHaveLength(1);
  });

  it('reports settings that no request can contain', async () => {
    const broken = aBuyer({ trackbox_domain: box.host, trackbox_username: 'user\r\nx-injected: 1' });
    expect(await send({ buyer: broken })).toMatchObject({ outcome: 'permanent', misconfigured: true });
    expect(box.calls).toHaveLength(0);
  });

  it('requires all its settings', async () => {
    for (const name of [
      'trackbox_domain',
      'trackbox_username',
      'trackbox_password',
      'trackbox_api_key',
      'trackbox_ai',
      'trackbox_gi',
    ])
      expect(await send({ buyer: aBuyer({ trackbox_domain: box.host, [name]: null }) })).toMatchObject({
        outcome: 'permanent',
        misconfigured: true,
      });
    expect(box.calls).toHaveLength(0);
  });

  it('logs request and answer without secrets, even if a box repeats them', async () => {
    box.answer = (call) => ({
      body: { status: false, message: `${call.body} ${JSON.stringify(call.headers)}` },
    });
    const report = await send();
    expect(report.request).toContain('jana@example.org');
    expect(report.answer?.length).toBeLessThanOrEqual(500);
    for (const secret of [SECRETS.trackboxPassword, SECRETS.trackboxKey, sentBody().password ?? '?'])
      expect(JSON.stringify(report)).not.toContain(secret);
  });
});
