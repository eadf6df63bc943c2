/** Session permissions and recorded use, answers with an ETag, and posted forms. */
import { describe, expect, it, vi } from 'vitest';
import { withChecksum } from '#functions/domain/common/checked-key';
import type { LinkVisitor } from '#functions/domain/orders/link-access';
import { WithTag } from '#functions/http/api';
import { linkCookie } from '#functions/http/link-cookie';
import { authSchemas } from '#shared/contract/schemas/auth';
import { claimSchemas } from '#shared/contract/schemas/claims';
import { intakeSchemas } from '#shared/contract/schemas/intake';
import { pendingLeadSchemas } from '#shared/contract/schemas/pending-leads';
import { aBuyer } from '#test/factories/buyers';
import { ADMIN, apiOf, NOW, SESSION, SESSION_KEY, sessionCookieOf } from '#test/harness/api';
import { changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A table with Ann's open session and these fields. */
function sessionTable(changes: Partial<typeof SESSION> & { limited?: boolean } = {}) {
  const update = vi.fn<(update: { values?: object }) => Promise<never>>();
  const getMany = async () => [{ ...SESSION, ...changes }, ADMIN];
  return { update, table: changedTable(memoryTable(), { getMany, update }) };
}

const listPendingLeads = async () => ({ ineligible_leads: [], total: 0 });

describe('a session without a required passkey', () => {
  const { table } = sessionTable({ limited: true });

  it('may only register a passkey', async () => {
    const cookies = [await sessionCookieOf()];
    const pending = apiOf('pending-leads', pendingLeadSchemas, { listPendingLeads }, { table });
    expect(await pending.call('GET /api/ineligible-leads', { cookies })).toMatchObject({
      status: 403,
      json: { code: 'passkey_required', error: 'Register a passkey first.' },
    });
    const auth = apiOf('auth', authSchemas, { addPasskey: vi.fn() }, { table });
    const added = await auth.call('POST /api/account/passkeys', { cookies, headers: JSON_TYPE, body: '{}' });
    expect(added.json).toMatchObject({ code: 'invalid_input' });
  });

  it('does not count in a call that also accepts a link', async () => {
    const seen = vi.fn<(request: object) => void>();
    const getLeadClaim = async (request: object) => seen(request);
    const { call } = apiOf('claims', claimSchemas, { getLeadClaim }, { table });
    await call('GET /api/lead-claims/lead/{leadId}', {
      cookies: [await sessionCookieOf()],
      pathParameters: { leadId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    });
    expect(seen).toHaveBeenCalledWith(expect.objectContaining({ session: null, who: undefined }));
  });
});

describe('the use of a session', () => {
  interface Use {
    readonly fails?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
    /** Null sends no cookie. */
    readonly userAgent?: string | null;
  }
  const use = async (usedMsAgo: number, { fails = false, headers = {}, userAgent = 'Firefox' }: Use = {}) => {
    const { table, update } = sessionTable({ used_at: new Date(NOW.getTime() - usedMsAgo).toISOString() });
    if (fails) update.mockRejectedValue(new Error('no answer'));
    const { call, logged } = apiOf(
      'pending-leads',
      pendingLeadSchemas,
      { listPendingLeads },
      { table, originSecrets: async () => ['secret'] },
    );
    const { status } = await call('GET /api/ineligible-leads', {
      cookies: [await sessionCookieOf()],
      headers: { 'x-origin-verify': 'secret', ...headers },
      requestContext: { http: { sourceIp: '198.51.100.7', userAgent } } as never,
    });
    expect(status).toBe(200);
    return { values: update.mock.calls.map(([{ values }]) => values), logged };
  };

  it('is recorded at most every five minutes, with its location', async () => {
    expect((await use(5 * 60_000 - 1)).values).toEqual([]);
    const noted = { ':now': NOW.toISOString(), ':address': '198.51.100.7', ':agent': 'Firefox' };
    expect((await use(5 * 60_000)).values).toEqual([noted]);
    const headers = { 'cloudfront-viewer-country': 'DEx', 'cloudfront-viewer-city': 'B'.repeat(101) };
    const cut = { ...noted, ':agent': 'x'.repeat(300), ':country': 'DE', ':city': 'B'.repeat(100) };
    expect((await use(5 * 60_000, { headers, userAgent: 'x'.repeat(301) })).values).toEqual([cut]);
    const little = { headers: { 'cloudfront-viewer-country': 'DE' }, userAgent: null };
    const { values } = await use(5 * 60_000, little);
    expect(values).toEqual([{ ...noted, ':agent': '', ':country': 'DE', ':city': '' }]);
  });

  it('does not fail the call if recording it fails', async () => {
    const { logged } = await use(5 * 60_000, { fails: true });
    expect(logged).toMatchObject([{ level: 'warn', message: 'use of a session not noted' }]);
  });
});

describe('a call with an API key', () => {
  const text = withChecksum(`lda_${'0'.repeat(64)}`);
  const called = async (headers: Readonly<Record<string, string>>, update = vi.fn()) => {
    const get = async () => ({
      hash: '',
      id: '',
      name: 'Make',
      scopes: ['read'],
      prefix: '',
      created_by: '',
      created_at: '',
    });
    const seen = vi.fn<(request: object) => Promise<unknown>>(listPendingLeads);
    const table = changedTable(memoryTable(), { get, update });
    const { call, logged } = apiOf(
      'pending-leads',
      pendingLeadSchemas,
      { listPendingLeads: seen },
      { table },
    );
    const { status } = await call('GET /api/ineligible-leads', {
      cookies: [await sessionCookieOf()],
      headers,
    });
    return { status, seen, logged };
  };

  it('has no session, and acts by the name of the key', async () => {
    const { status, seen } = await called({ authorization: `Bearer ${text}`, origin: 'https://n8n.example' });
    expect(status).toBe(200);
    expect(seen).toHaveBeenCalledWith(expect.objectContaining({ session: null, who: 'API key Make' }));
  });

  it('has it in the header that CloudFront copies', async () => {
    expect((await called({ 'x-authorization': `Bearer ${text}` })).status).toBe(200);
  });

  it('does not fail if recording its use fails', async () => {
    const { status, logged } = await called(
      { authorization: `bearer ${text}` },
      vi.fn().mockRejectedValue(new Error('no answer')),
    );
    expect(status).toBe(200);
    expect(logged).toMatchObject([{ level: 'warn', message: 'use of an API key not noted' }]);
  });
});

describe('an answer with an ETag', () => {
  const checkedWith = async (answer: unknown, headers: Record<string, string> = {}) => {
    const checkAuth = vi.fn<(request: { ifNoneMatch?: string }) => Promise<unknown>>(async () => answer);
    const {
      status,
      text,
      headers: sent,
    } = await apiOf('auth', authSchemas, { checkAuth }).call('GET /api/check-auth', { headers });
    return { status, text, sent, asked: checkAuth.mock.calls[0]?.[0].ifNoneMatch };
  };

  it('has the header, and is a 304 with the time if the caller has the current tag', async () => {
    const full = await checkedWith(new WithTag({ authenticated: false }, '"1"'));
    expect(full).toMatchObject({ status: 200, text: '{"authenticated":false}', sent: { etag: '"1"' } });
    expect(full.sent).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    const known = await checkedWith(new WithTag(undefined, '"1"'));
    expect(known).toMatchObject({ status: 304, text: '' });
    expect(known.sent).toMatchObject({ etag: '"1"', 'server-time': NOW.toISOString() });
    expect((await checkedWith(new WithTag({ authenticated: false }, undefined))).sent).not.toHaveProperty(
      'etag',
    );
  });

  it('uses the browser’s tag, which CloudFront copies', async () => {
    expect((await checkedWith({}, { 'if-none-match': '"1"' })).asked).toBe('"1"');
    expect((await checkedWith({}, { 'x-known-tag': '"2"', 'if-none-match': '"1"' })).asked).toBe('"2"');
  });
});

describe('a call of a source', () => {
  const posted = async (type: string, body: string) => {
    const seen = vi.fn<(request: { body: unknown; session: unknown }) => Promise<unknown>>();
    const requireSource = vi.fn<() => Promise<void>>();
    const { call } = apiOf('intake', intakeSchemas, { postIntake: seen }, { requireSource });
    const event = { cookies: [await sessionCookieOf()], headers: { 'content-type': type }, body };
    const { json } = await call('POST /api/intake', event);
    return { json, keyAsked: requireSource.mock.calls.length, request: seen.mock.calls[0]?.[0] };
  };

  it('may be a form with repeated fields as lists, and ignores sessions', async () => {
    const { request, keyAsked } = await posted('application/x-www-form-urlencoded', 'a=1&b=2&b=3&c=');
    expect(request).toMatchObject({ body: [{ a: '1', b: ['2', '3'], c: '' }], session: null });
    expect(keyAsked).toBe(0);
  });

  it('with an unreadable body gets details only with a key', async () => {
    const { json, keyAsked } = await posted('application/json', '[');
    expect(json).toMatchObject({ code: 'invalid_json' });
    expect(keyAsked).toBe(1);
    const requireSource = vi.fn<() => Promise<void>>();
    const { call } = apiOf('auth', authSchemas, { login: vi.fn() }, { requireSource });
    expect((await call('POST /api/login')).status).toBe(400);
    expect(requireSource).not.toHaveBeenCalled();
  });
});

describe('the cookie of a device with a confirmed link code', () => {
  const KEY = new Uint8Array(32).fill(7);
  const buyer = aBuyer({ buyer: 7, buyer_email: 'a@example.org' });
  const cookieAt = (baseUrl: string) => linkCookie(KEY, buyer, { id: 'device-1', baseUrl, now: NOW });

  it('is sent to the API only, for 180 days, and not readable by scripts or other sites', async () => {
    const shown = async (baseUrl: string) => (await cookieAt(baseUrl)).replace(/=[^;]+/, '=token');
    const always = 'link_device_7=token; Path=/api; HttpOnly; SameSite=Strict; Max-Age=15552000';
    expect(await shown('https://leads.example.com')).toBe(`${always}; Secure`);
    expect(await shown('http://localhost:3000')).toBe(always);
  });

  it('is valid for this buyer until its e-mail address changes', async () => {
    const cookies = [(await cookieAt('http://localhost')).split(';')[0] ?? ''];
    const known = vi.fn<(answers: boolean[], who: string) => void>();
    const getLeadClaim = async ({ visitor }: { visitor: LinkVisitor }) => {
      const others = [buyer, { ...buyer, buyer_email: 'b@example.org' }, { ...buyer, buyer: 8 }];
      known(await Promise.all(others.map((one) => visitor.knows(one))), visitor.who);
    };
    const keys = async () => ({ session: SESSION_KEY, link: KEY }) as never;
    const { call } = apiOf('claims', claimSchemas, { getLeadClaim }, { ...sessionTable(), keys });
    const pathParameters = { leadId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' };
    for (const own of [cookies, [...cookies, await sessionCookieOf()], ['link_device_7=x'], []])
      await call('GET /api/lead-claims/lead/{leadId}', { cookies: own, pathParameters });
    expect(known.mock.calls).toEqual([
      [[true, false, false], 'link'],
      [[true, false, false], ADMIN.username],
      [[false, false, false], 'link'],
      [[false, false, false], 'link'],
    ]);
  });
});
