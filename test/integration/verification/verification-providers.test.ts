import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Table } from '#functions/data/table/table';
import { verificationEnvironment } from '#functions/platform/environment';
import { createLogger } from '#functions/platform/logger';
import { systemRuntime } from '#functions/platform/runtime';
import { createChecks } from '#functions/verification/checks';
import type { Checks, VerificationKind } from '#functions/verification/verification';
import { aPersonInFull } from '#test/factories/people';
import { changedTable } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';
import { type StubAnswer, type StubServer, startStub } from '#test/harness/stub-server';

let provider: StubServer;
let table: Table;
let clock: Date;
let logged: string[];
let checks: Checks;
/** Timeouts are shortened to this fraction. */
let patience: number;
let waits: number[];

const KEYS = {
  ZEROBOUNCE_API_KEY: 'zb-secret-key',
  TWILIO_LOOKUP_API_KEY: 'AC1:twilio-secret',
  NAMEAPI_API_KEY: 'name-secret',
};

beforeAll(async () => {
  provider = await startStub();
});
afterAll(() => provider.stop());
it.beforeEach(({ table: fresh }) => {
  table = fresh;
  clock = new Date('2026-11-20T10:00:00Z');
  logged = [];
  patience = 1;
  waits = [];
  provider.calls.length = 0;
  checks = create(KEYS);
});

const create = (keys: Partial<typeof KEYS>, on = table) =>
  createChecks({
    environment: verificationEnvironment.parse({
      ZEROBOUNCE_API_URL: `${provider.url}/zb`,
      TWILIO_LOOKUP_API_URL: `${provider.url}/tw`,
      NAMEAPI_API_URL: `${provider.url}/na`,
      ...keys,
    }),
    runtime: {
      ...systemRuntime,
      now: () => clock,
      timeout: (milliseconds) => {
        waits.push(milliseconds);
        return AbortSignal.timeout(milliseconds * patience);
      },
      log: createLogger((line) => logged.push(line)),
    },
    table: on,
  });

const VALID: Record<VerificationKind, StubAnswer> = {
  email: { body: { address: 'x', status: 'valid', sub_status: '' } },
  phone: { body: { valid: true, validation_errors: [] } },
  name: { body: { score: -0.3, worstRisk: null, risks: [] } },
};
const KINDS = ['email', 'phone', 'name'] as const;

it('verification without a provider decides with the offline check and calls no provider', async () => {
  const offline = create({});
  for (const kind of KINDS) expect((await offline[kind](aPersonInFull())).status).toBe('valid');
  expect((await offline.phone(aPersonInFull({ telefon: '123' }))).status).toBe('invalid');
  expect(provider.calls).toHaveLength(0);
});

describe('calls to verification providers', () => {
  it('follow the documentation of the providers', async () => {
    provider.answer = (call) =>
      call.url.startsWith('/zb') ? VALID.email : call.url.startsWith('/tw') ? VALID.phone : VALID.name;
    for (const kind of KINDS)
      expect(await checks[kind](aPersonInFull())).toMatchObject({ status: 'valid', note: null });
    const [email, phone, name] = provider.calls;
    expect(email?.url).toBe('/zb/validate?api_key=zb-secret-key&email=jana%40example.org&ip_address=');
    expect(phone?.url).toBe('/tw/PhoneNumbers/%2B491701234567');
    expect(phone?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:twilio-secret').toString('base64')}`);
    expect(name).toMatchObject({ method: 'POST', url: '/na/riskdetector/person?apiKey=name-secret' });
    expect(JSON.parse(name?.body ?? '')).toMatchObject({
      inputPerson: {
        personName: {
          nameFields: [
            { string: 'Jürgen', fieldType: 'GIVENNAME' },
            { string: "O'Brien-Müller", fieldType: 'SURNAME' },
          ],
        },
      },
    });
  });

  it('are not made when the offline check fails', async () => {
    expect((await checks.email(aPersonInFull({ email: 'nonsense' }))).status).toBe('invalid');
    expect(provider.calls).toHaveLength(0);
  });
});

it.each([
  ['email', { status: 'invalid', sub_status: 'mailbox_not_found' }, 'invalid', 'mailbox_not_found'],
  ['email', { status: 'spamtrap' }, 'invalid', 'spamtrap'],
  ['email', { status: 'do_not_mail', sub_status: 'disposable' }, 'invalid', 'disposable'],
  ['email', { status: 'do_not_mail', sub_status: 'role_based' }, 'valid', null],
  ['email', { status: 'catch-all' }, 'unknown', 'catch-all'],
  ['email', { status: 'unknown', sub_status: 'greylisted' }, 'unknown', 'greylisted'],
  ['phone', { valid: false, validation_errors: ['TOO_SHORT'] }, 'invalid', 'TOO_SHORT'],
  [
    'name',
    { score: 0.9, worstRisk: { riskType: ['FakeRiskType', 'FICTIONAL'], riskScore: 1 } },
    'invalid',
    'FICTIONAL',
  ],
  [
    'name',
    { score: 0.2, worstRisk: { riskType: ['FakeRiskType', 'RANDOM_TYPING'], riskScore: 0.2 } },
    'valid',
    null,
  ],
  [
    'name',
    { score: 0.9, worstRisk: { riskType: ['FakeRiskType', 'FAMOUS'], riskScore: 0.9 } },
    'unknown',
    'celebrity',
  ],
] as const)('provider results %s: %j is %s', async (kind, body, status, note) => {
  provider.answer = () => ({ body });
  const result = await checks[kind](aPersonInFull());
  expect(result.status).toBe(status);
  if (note === null) expect(result.note).toBeNull();
  else expect(result.note).toContain(note);
});

describe.each(KINDS)('outage of the %s provider', (kind) => {
  it.each([
    ['wrong credentials', { status: 401, body: { code: 20003, message: 'Authenticate' } }],
    [
      'no credit, in a 200 answer',
      { status: 200, body: { error: 'Invalid API key or your account ran out of credits' } },
    ],
    ['too many calls', { status: 429, body: '' }],
    ['a 500', { status: 500, body: 'oops' }],
    ['an HTML page', { status: 200, body: '<html>error</html>' }],
    ['garbage', { status: 200, body: '{"status":' }],
    ['something else', { status: 200, body: { hello: 'world' } }],
    ['a cut', 'cut'],
  ] as [string, StubAnswer][])('%s accepts the lead with a note', async (_, answer) => {
    provider.answer = () => answer;
    const result = await checks[kind](aPersonInFull());
    expect(result.status).toBe('unknown');
    expect(result.note).toContain('no result');
    for (const secret of ['zb-secret-key', 'twilio-secret', 'name-secret', 'jana@example.org', '1234567'])
      expect(JSON.stringify([result, logged])).not.toContain(secret);
  });

  it('delays a lead by at most three seconds', async () => {
    provider.answer = () => 'hang';
    patience = 0.05;
    expect(await checks[kind](aPersonInFull())).toMatchObject({
      status: 'unknown',
      note: expect.stringContaining('timeout'),
    });
    expect(waits[0]).toBe(3000);
  });
});

describe('cached results', () => {
  it('save a second call for a day, for any spelling', async () => {
    provider.answer = () => VALID.email;
    await checks.email(aPersonInFull());
    await checks.email(aPersonInFull({ email: 'JANA@example.org' }));
    expect(provider.calls).toHaveLength(1);
    clock = new Date(clock.getTime() + 25 * 3600_000);
    await checks.email(aPersonInFull());
    expect(provider.calls).toHaveLength(2);
  });

  it('include bad ones but not uncertain ones', async () => {
    provider.answer = () => ({ body: { status: 'invalid', sub_status: 'possible_typo' } });
    const first = await checks.email(aPersonInFull());
    expect(await checks.email(aPersonInFull())).toEqual(first);
    expect(provider.calls).toHaveLength(1);
    provider.answer = () => ({ body: { status: 'catch-all' } });
    await checks.email(aPersonInFull({ email: 'other@example.org' }));
    await checks.email(aPersonInFull({ email: 'other@example.org' }));
    expect(provider.calls).toHaveLength(3);
  });

  it('are stored under a hash that does not reveal the address', async () => {
    provider.answer = () => VALID.email;
    const written: unknown[] = [];
    const watched = create(
      KEYS,
      changedTable(table, {
        put: (write) => {
          written.push(write.put);
          return table.put(write);
        },
      }),
    );
    await watched.email(aPersonInFull());
    expect(written).toHaveLength(1);
    expect(JSON.stringify(written)).not.toContain('jana');
    expect(written[0]).toMatchObject({ expires_at: clock.getTime() / 1000 + 86_400 });
  });

  it('are optional: if they cannot be read or stored, the provider is called, and the log says why', async () => {
    provider.answer = () => VALID.email;
    const denied = async () => {
      throw Object.assign(new Error('not authorized for jana@example.org'), {
        name: 'AccessDeniedException',
      });
    };
    const unsaved = create(KEYS, changedTable(table, { get: denied, put: denied }));
    expect((await unsaved.email(aPersonInFull())).status).toBe('valid');
    expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
      { message: 'verification result not read', kind: 'email', error: 'AccessDeniedException' },
      { message: 'verification result not kept', kind: 'email', error: 'AccessDeniedException' },
    ]);
    expect(logged.join()).not.toContain('jana');
  });
});
