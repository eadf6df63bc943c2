/** From API Gateway's event to a handler and back: permissions, parsing and answers. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { createApi, WithCookies } from '#functions/http/api';
import { authSchemas } from '#shared/contract/schemas/auth';
import { claimSchemas } from '#shared/contract/schemas/claims';
import { intakeSchemas } from '#shared/contract/schemas/intake';
import { metaSchemas } from '#shared/contract/schemas/meta';
import { pendingLeadSchemas } from '#shared/contract/schemas/pending-leads';
import { apiOf, PUBLIC_BASE_URL, sessionCookieOf } from '#test/harness/api';

const JSON_TYPE = { 'content-type': 'application/json' };
const LOGIN = { username: 'ann', password: 'secret' };

function loginApi() {
  const seen = vi.fn<(request: object) => void>();
  const { call, logged } = apiOf('auth', authSchemas, {
    login: async (request: object) => {
      seen(request);
      return { message: 'Logged in' };
    },
  });
  const post = (body: string, headers: Record<string, string> = JSON_TYPE, isBase64Encoded = false) =>
    call('POST /api/login', { body, headers, isBase64Encoded });
  return { call, post, expected: seen, logged };
}

/** A call for admins with a path parameter, and one that link holders may make too. */
function officeApi() {
  const seen =
    vi.fn<(request: { session: unknown; params: unknown; query: unknown; body: unknown }) => void>();
  const pending = apiOf('pending-leads', pendingLeadSchemas, {
    listPendingLeads: async (request: Parameters<typeof seen>[0]) => {
      seen(request);
      return { ineligible_leads: [], total: 0 };
    },
    discardPendingLead: async (request: Parameters<typeof seen>[0]) => {
      seen(request);
      return { message: 'Gone' };
    },
  });
  return { ...pending, expected: seen };
}

function downloads(answer: unknown) {
  const { call, logged } = apiOf('pending-leads', pendingLeadSchemas, {
    exportPendingLeads: async () => answer,
  });
  const download = async (headers: Record<string, string> = {}) =>
    call('GET /api/ineligible-leads/export/{format}', {
      headers,
      cookies: [await sessionCookieOf()],
      pathParameters: { format: 'csv' },
    });
  return { download, logged };
}

describe('an API function', () => {
  const make = (handlers: object, schemas: object = authSchemas) =>
    createApi('auth', schemas as never, {} as never, handlers as never);

  it('has handlers for its own calls only, and schemas for each', () => {
    expect(() => make({ listBuyers: vi.fn() })).toThrow('listBuyers is no endpoint of auth');
    expect(() => make({ toString: vi.fn() })).toThrow('toString is no endpoint of auth');
    expect(() => make({ login: vi.fn() }, {})).toThrow('login has no schemas');
    expect(() => make({ login: vi.fn(), checkAuth: vi.fn() })).not.toThrow();
  });

  it('answers other methods at its paths with 405, other paths with 404', async () => {
    const { call } = apiOf('meta', metaSchemas, {});
    const wrong = await call('$default', { rawPath: '/api/buyers/acme' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers).toMatchObject({ allow: 'GET, PUT', 'content-type': 'application/json' });
    expect(wrong.json).toEqual({ error: 'Method not allowed', code: 'method_not_allowed' });
    expect((await call('$default', { rawPath: '/api/login' })).headers).toMatchObject({ allow: 'POST' });
    const erasures = await call('$default', { rawPath: '/api/people/erasures' });
    expect(erasures.headers).toMatchObject({ allow: 'GET, POST' });
    for (const rawPath of [
      '/api/nothing',
      '/x/api/login',
      '/api/login/x',
      '/api/buyers/',
      '/api/openapiXjson',
    ])
      expect(await call('$default', { rawPath }), rawPath).toMatchObject({
        status: 404,
        json: { error: 'Not found', code: 'route_not_found' },
      });
    expect((await call('$default', { rawPath: '/api/openapi.json' })).status).toBe(405);
  });

  it('tells the methods of a path apart that is one route at API Gateway', async () => {
    const { call } = apiOf('meta', metaSchemas, { getHealth: async () => ({ status: 'ok' }) });
    const by = (method: string) =>
      call('ANY /api/health', { requestContext: { http: { method, sourceIp: '198.51.100.7' } } as never });
    expect((await by('GET')).status).toBe(200);
    for (const method of ['PUT', 'HEAD', 'ANY']) expect((await by(method)).status, method).toBe(405);
  });

  it('sends the same security headers with every answer', async () => {
    const { post } = loginApi();
    expect((await post(JSON.stringify(LOGIN))).headers).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'Strict-Transport-Security': 'max-age=15552000; includeSubDomains; preload',
      'X-Content-Type-Options': 'nosniff',
      'X-DNS-Prefetch-Control': 'off',
      'X-Download-Options': 'noopen',
      'X-Permitted-Cross-Domain-Policies': 'none',
      'Origin-Agent-Cluster': '?1',
    });
  });
});

describe('a session', () => {
  it('is required by admin calls before the request is validated', async () => {
    const { call, expected: seen } = officeApi();
    const cookies: (string[] | undefined)[] = [
      undefined,
      [],
      ['other=1'],
      ['session=made-up'],
      [await sessionCookieOf('closed')],
    ];
    for (const own of cookies) {
      const answer = await call('GET /api/ineligible-leads', {
        ...(own && { cookies: own }),
        queryStringParameters: { limit: 'not a number' },
      });
      expect(answer).toMatchObject({ status: 401, json: { error: 'Please log in', code: 'not_logged_in' } });
    }
    expect(seen).not.toHaveBeenCalled();
  });

  it('is passed to the handler with the parsed request', async () => {
    const { call, expected: seen } = officeApi();
    const cookies = [await sessionCookieOf()];
    const list = await call('GET /api/ineligible-leads', { cookies, queryStringParameters: { limit: '7' } });
    expect(list).toMatchObject({ status: 200, json: { ineligible_leads: [], total: 0 } });
    expect(seen).toHaveBeenLastCalledWith(
      expect.objectContaining({
        session: expect.objectContaining({ id: 'open', username: 'ann' }),
        params: undefined,
        query: { limit: 7 },
        body: undefined,
        address: '198.51.100.7',
        idempotencyKey: undefined,
      }),
    );
    await call('GET /api/ineligible-leads', { cookies, headers: { 'Idempotency-Key': 'k1' } });
    expect(seen).toHaveBeenLastCalledWith(
      expect.objectContaining({ query: { limit: 1000 }, idempotencyKey: 'k1' }),
    );
    const leadId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const params = { cookies, pathParameters: { leadId } };
    expect((await call('DELETE /api/ineligible-leads/{leadId}', params)).json).toEqual({ message: 'Gone' });
    expect(seen).toHaveBeenLastCalledWith(expect.objectContaining({ params: { leadId } }));
    expect(await call('DELETE /api/ineligible-leads/{leadId}', { cookies })).toMatchObject({
      status: 400,
      json: { error: 'Lead ID: Required', code: 'invalid_input', fields: { leadId: 'Required' } },
    });
  });

  it('is not read by a public call', async () => {
    const { call, expected: seen } = loginApi();
    await call('POST /api/login', {
      body: JSON.stringify(LOGIN),
      headers: JSON_TYPE,
      cookies: [await sessionCookieOf()],
    });
    expect(seen).toHaveBeenLastCalledWith(expect.objectContaining({ session: null, body: LOGIN }));
  });

  it('can be opened by an answer without losing its other parts', async () => {
    const { call } = apiOf('auth', authSchemas, {
      logout: async () => new WithCookies({ message: 'Logged out' }, ['a=1', 'b=2']),
    });
    expect(await call('GET /api/logout')).toMatchObject({
      status: 200,
      cookies: ['a=1', 'b=2'],
      json: { message: 'Logged out' },
    });
  });
});

describe('another site', () => {
  const FOREIGN = `https://evil.example https://leads.example.com.evil.example https://evilleads.example.com
    https://evil.leads.example.com https://example.com https://leads.example.com. https://leads.example.com:8443
    http://leads.example.com https://leads.example.co https://leads-example.com https://evil.example/leads.example.com
    https://leads.example.com@evil.example leads.example.com null`
    .split(/\s+/)
    .concat('');
  const refused = {
    status: 403,
    json: { error: 'Calls from another site are refused', code: 'foreign_origin' },
  };

  it('can neither log in nor make changes with a session', async () => {
    const { post, expected: seen } = loginApi();
    const office = officeApi();
    for (const origin of FOREIGN) {
      expect(await post(JSON.stringify(LOGIN), { ...JSON_TYPE, origin })).toMatchObject(refused);
      expect(
        await office.call('DELETE /api/ineligible-leads/{leadId}', {
          headers: { origin },
          cookies: [await sessionCookieOf()],
        }),
      ).toMatchObject(refused);
    }
    expect(seen).not.toHaveBeenCalled();
    expect(office.expected).not.toHaveBeenCalled();
  });

  it.each([
    [{ origin: PUBLIC_BASE_URL }],
    [{ origin: 'https://LEADS.example.com' }],
    [{ origin: 'https://leads.example.com:443' }],
    [{ origin: 'http://localhost:3000', host: 'localhost:3000' }],
    [{}],
  ])('is not detected from %j', async (headers: Record<string, string>) => {
    expect((await loginApi().post(JSON.stringify(LOGIN), { ...JSON_TYPE, ...headers })).status).toBe(200);
  });

  it('may read, which browsers prevent, and may make calls with a link', async () => {
    const headers = { origin: 'https://leads-before.example.com', ...JSON_TYPE };
    const { call } = officeApi();
    const cookies = [await sessionCookieOf()];
    expect((await call('GET /api/ineligible-leads', { headers, cookies })).status).toBe(200);
    const claims = apiOf('claims', claimSchemas, { fileClaim: async () => ({}) });
    const file = (own: string[]) =>
      claims.call('POST /api/lead-claims', { headers, cookies: own, body: '{}' });
    expect((await file([])).json).toMatchObject({ code: 'invalid_input' });
    expect(await file(cookies)).toMatchObject(refused);
  });
});

describe('a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.acme.v1+json',
  ])('is parsed as JSON with content type %s', async (type) => {
    expect((await loginApi().post(JSON.stringify(LOGIN), { 'Content-Type': type })).status).toBe(200);
  });

  it.each(['text/plain', 'text/json', 'application/jsonp', 'x application/json', 'application/x-json', ''])(
    'is rejected with content type %j',
    async (type) => {
      expect(await loginApi().post(JSON.stringify(LOGIN), { 'content-type': type })).toMatchObject({
        status: 415,
        json: { error: 'Please send JSON (application/json)', code: 'unsupported_media_type' },
      });
    },
  );

  it('needs no content type if it is empty, and then equals {}', async () => {
    expect(await loginApi().post('', {})).toMatchObject({
      status: 400,
      json: {
        error: 'Username: Required',
        code: 'invalid_input',
        fields: { username: 'Required', password: 'Required' },
      },
    });
    expect((await loginApi().call('POST /api/login')).json).toMatchObject({ code: 'invalid_input' });
    expect((await loginApi().post('{}', {})).status).toBe(415);
  });

  it('is decoded if API Gateway has encoded it', async () => {
    const { post, expected: seen } = loginApi();
    const text = JSON.stringify({ ...LOGIN, username: 'jürgen' });
    expect((await post(Buffer.from(text).toString('base64'), JSON_TYPE, true)).status).toBe(200);
    expect(seen).toHaveBeenLastCalledWith(
      expect.objectContaining({ body: { ...LOGIN, username: 'jürgen' } }),
    );
  });

  it.each(['{"a":', 'x', '{"username":"\\ud800","password":"x"}', '{"a":["\\udc00"]}'])(
    'that is %j is not valid JSON',
    async (body) => {
      expect(await loginApi().post(body)).toMatchObject({
        status: 400,
        json: { error: 'The request is not valid JSON', code: 'invalid_json' },
      });
    },
  );

  it('may contain characters outside the basic plane', async () => {
    expect((await loginApi().post('{"username":"\\ud83e\\udd84","password":"x"}')).status).toBe(200);
  });

  it('may have up to half a mebibyte, counted in bytes', async () => {
    const { post } = loginApi();
    const most = 512 * 1024;
    const ofSize = (bytes: number, letter: string) => {
      const rest = bytes - '{"":""}'.length;
      return `{"":"${letter.repeat(Math.floor(rest / Buffer.byteLength(letter)))}${'x'.repeat(rest % Buffer.byteLength(letter))}"}`;
    };
    for (const letter of ['x', 'ü']) {
      expect(Buffer.byteLength(ofSize(most, letter))).toBe(most);
      expect((await post(ofSize(most, letter))).json).toMatchObject({ code: 'invalid_input' });
      expect(await post(ofSize(most + 1, letter))).toMatchObject({
        status: 413,
        json: { error: 'The request is too large', code: 'payload_too_large' },
      });
    }
  });
});

describe('a download', () => {
  const FILE = {
    filename: 'Börse "Mai".csv',
    contentType: 'text/csv; charset=utf-8',
    content: Buffer.from('a;ü'),
  };

  it('is sent with its file name, in ASCII for old clients and in full for others', async () => {
    const answer = await downloads(FILE).download({ 'accept-encoding': 'gzip' });
    expect(answer).toMatchObject({ status: 200, isBase64Encoded: true });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition':
        'attachment; filename="Borse Mai.csv"; filename*=UTF-8\'\'B%C3%B6rse%20%22Mai%22.csv',
    });
    expect(Buffer.from(answer.text, 'base64').toString('utf8')).toBe('a;ü');
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('is never compressed, however large', async () => {
    const content = Buffer.alloc(10_000, 'x');
    const answer = await downloads({ ...FILE, content }).download({ 'accept-encoding': 'gzip' });
    expect(Buffer.from(answer.text, 'base64')).toEqual(content);
  });

  it('is fetched from object storage if it is too large for an answer', async () => {
    const answer = await downloads({ location: 'https://files.example.com/1' }).download();
    expect(answer).toMatchObject({ status: 302, text: '' });
    expect(answer.headers).toMatchObject({ location: 'https://files.example.com/1' });
    expect(answer.headers).not.toHaveProperty('content-type');
  });

  it.each([[undefined], [null], ['text'], [{ filename: 'a' }]])('cannot be %j', async (wrong) => {
    const { download, logged } = downloads(wrong);
    expect((await download()).status).toBe(500);
    expect(logged).toMatchObject([{ level: 'error', message: 'failed', fields: { error: 'TypeError' } }]);
  });
});

describe('a long answer', () => {
  const answering = (answer: object) => apiOf('meta', metaSchemas, { getOpenApi: async () => answer });
  /** JSON of exactly this many characters. */
  const ofLength = (characters: number) => ({ a: 'x'.repeat(characters - '{"a":""}'.length) });
  const get = (answer: object, headers: Record<string, string>) =>
    answering(answer).call('GET /api/openapi.json', { headers });

  it('is compressed from 2048 characters on for clients that accept gzip', async () => {
    const whole = ofLength(2048);
    const answer = await get(whole, { 'accept-encoding': 'br, gzip' });
    expect(answer.isBase64Encoded).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(JSON.parse(gunzipSync(Buffer.from(answer.text, 'base64')).toString())).toEqual(whole);
    const short = ofLength(2047);
    expect((await get(short, { 'accept-encoding': 'gzip' })).json).toEqual(short);
  });

  it('is uncompressed for all others', async () => {
    const whole = ofLength(5000);
    for (const headers of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'xgzip' }] as Record<
      string,
      string
    >[]) {
      const answer = await get(whole, headers);
      expect(answer.json).toEqual(whole);
      expect(answer.headers).not.toHaveProperty('content-encoding');
    }
  });

  it('uses the browser’s accepted encodings, which CloudFront forwards', async () => {
    const whole = ofLength(5000);
    const through = (accepted: string, own: string) =>
      get(whole, { 'x-accepted-encoding': accepted, 'accept-encoding': own });
    expect((await through('gzip', '')).isBase64Encoded).toBe(true);
    expect((await through('identity', 'gzip')).json).toEqual(whole);
  });
});

it('removes fields from an answer that are not in the schema', async () => {
  const { call } = apiOf('auth', authSchemas, {
    checkAuth: async () => ({ authenticated: true, username: 'ann', password_hash: 'x' }),
  });
  expect((await call('GET /api/check-auth')).json).toEqual({ authenticated: true, username: 'ann' });
});

it.for([['authorization'], ['x-authorization']] as const)(
  'reads the key of a source from %s, copied by CloudFront',
  async ([header]) => {
    const seen = vi.fn<(request: object) => void>();
    const { call } = apiOf('intake', intakeSchemas, {
      getIntake: async (request: object) => seen(request),
    });
    await call('GET /api/intake/{externalId}', {
      pathParameters: { externalId: 'a' },
      headers: { [header]: 'Bearer key' },
    });
    expect(seen).toHaveBeenCalledWith(expect.objectContaining({ authorization: 'Bearer key' }));
  },
);
