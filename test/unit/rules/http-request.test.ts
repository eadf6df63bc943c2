import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHANNEL_EXTRAS } from '#shared/channels/extras';
import { stepsOf, valueAt } from '#shared/rules/answer-path';
import {
  type AnswerRule,
  judge,
  parsedAnswer,
  RULE_SUBJECTS,
  ruleProblem,
  VERDICTS,
} from '#shared/rules/answer-rules';
import { buildRequest, type HttpSettings, httpProblems } from '#shared/rules/http-request';
import {
  EXAMPLE_LEAD,
  FORMATS,
  KNOWN_MACROS,
  type RequestLead,
  requestValues,
} from '#shared/rules/lead-values';
import { escapeXml, readXml } from '#shared/rules/xml';

const settings = (changes: Partial<HttpSettings> = {}): HttpSettings => ({
  http_method: 'POST',
  http_url: 'https://crm.example/leads',
  http_headers: [],
  http_auth: 'none',
  http_user: null,
  http_key_name: null,
  http_secret: null,
  http_second_secret: null,
  http_body_kind: 'json',
  http_body: '{}',
  http_rules: [],
  http_id_path: null,
  ...changes,
});
const KEYS = { secret: 's3cret&"<', secret2: 'two' };
const valuesOf = (texts: Partial<RequestLead['texts']> = {}) =>
  requestValues({ ...EXAMPLE_LEAD, texts: { ...EXAMPLE_LEAD.texts, ...texts } }, KEYS);
const build = (changes: Partial<HttpSettings>, texts: Partial<RequestLead['texts']> = {}) =>
  buildRequest(settings(changes), valuesOf(texts));

/** Any valid name, including characters that end a value in some format. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(
      ...Array.from('"\\\'<>&=;#%/?.:{}[]$,\n\r\t\u0000\u2028'),
      ']]>',
      '\ud800',
      '$$email$$',
      'ä',
    ),
    maxLength: 12,
  }),
);
/** All encodings of a text. */
const wellFormed = (text: string) => text.toWellFormed();

describe('the formats of a macro', () => {
  it.each([
    ['telefon', '030 23125123'],
    ['telefon:e164', '+493023125123'],
    ['telefon:digits', '493023125123'],
    ['telefon:national', '03023125123'],
    ['anlagebetrag', '25000.5'],
    ['anlagebetrag:integer', '25001'],
    ['anlagebetrag:decimal', '25000.50'],
    ['anlagebetrag:comma', '25000,50'],
    ['anlagebetrag:cents', '2500050'],
    ['anrede:gender', 'f'],
    ['anrede:english', 'Ms'],
    ['date', '2026-01-05T09:30:00.000Z'],
    ['date:iso', '2026-01-05T09:30:00.000Z'],
    ['date:german', '05.01.2026 10:30'],
    ['date:unix', '1767605400'],
    ['consent_given_at', '2026-01-05T09:28:00.000Z'],
    ['consent_given_at:german', '05.01.2026 10:28'],
    ['consent_given_at:unix', '1767605280'],
    ['consent_confirmed_at:iso', '2026-01-05T09:29:30.000Z'],
    ['consent_method', 'double_opt_in'],
    ['consent_channels', 'phone,email'],
  ])('$$%s$$ is %s', (macro, text) => {
    expect(build({ http_body_kind: 'form', http_body: `x=$$${macro}$$` }).body).toBe(
      new URLSearchParams({ x: text }).toString(),
    );
  });

  it('has a male salutation for Herr', () => {
    const values = valuesOf({ anrede: 'Herr' });
    expect([values['anrede:gender'], values['anrede:english']]).toEqual(['m', 'Mr']);
  });

  it('a preview has a value for each macro', () => {
    expect(Object.values(EXAMPLE_LEAD.texts)).not.toContain('');
  });

  it('every macro and format has a value', () => {
    expect(Object.keys(valuesOf()).sort()).toEqual(KNOWN_MACROS.toSorted());
    expect(Object.values(FORMATS).flat()).toHaveLength(18);
  });

  it('the times of a consent are empty, or null in JSON, for a lead without', () => {
    const http_body = '{ "at": $$consent_given_at:unix$$, "text": "$$consent_given_at:german$$" }';
    expect(build({ http_body }, { consent_given_at: '' }).body).toBe('{ "at": null, "text": "" }');
  });
});

describe('a JSON body', () => {
  const TEMPLATE =
    '{ "n": "$$vorname$$ \\"$$nachname$$\\"", "bare": $$email$$, "list": [[], ["$$src$$"], {"$$clickId$$x": 1}], "none": "", "big": 12345678901234567890 }';

  it('preserves every value exactly', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, hostile, (vorname, nachname, email, src, clickId) => {
        const { body = '' } = build({ http_body: TEMPLATE }, { vorname, nachname, email, src, clickId });
        expect(JSON.parse(body)).toEqual({
          n: `${wellFormed(vorname)} "${wellFormed(nachname)}"`,
          bare: email === '' ? null : wellFormed(email),
          list: [[], [wellFormed(src)], { [`${wellFormed(clickId)}x`]: 1 }],
          none: '',
          big: 12345678901234567000,
        });
        expect(body).toContain('12345678901234567890');
      }),
    );
  });

  it('has numbers for macros without quotation marks, and null for empty ones', () => {
    const http_body = '[$$anlagebetrag$$, $$anlagebetrag:comma$$, $$laufzeit$$, $$telefon:digits$$, $$src$$]';
    expect(build({ http_body }, { src: '' }).body).toBe('[25000.5, "25000,50", 36, "493023125123", null]');
  });

  it('that passes the check is valid JSON with any values', () => {
    const piece = fc.constantFrom(
      ...Array.from('"\\${}[],:1- n'),
      '$$vorname$$',
      '$$anlagebetrag$$',
      'null',
      'u00',
    );
    let passed = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), hostile, (pieces, vorname) => {
        const changes = { http_body: `["a", ${pieces.join('')}]` };
        if (httpProblems(settings(changes)).http_body !== undefined) return;
        passed += 1;
        expect(() => JSON.parse(build(changes, { vorname }).body ?? '') as unknown).not.toThrow();
      }),
      { numRuns: 20_000 },
    );
    expect(passed).toBeGreaterThan(50);
  });
});

it('a form preserves every value exactly', () => {
  fc.assert(
    fc.property(hostile, hostile, (vorname, src) => {
      const { body, headers } = build(
        {
          http_body_kind: 'form',
          http_body: 'tag[]=a&b\n\ntag[]= $$vorname$$\nempty=\nmail=$$src$$=$$src$$',
        },
        { vorname, src },
      );
      expect([...new URLSearchParams(body)]).toEqual([
        ['tag[]', 'a&b'],
        ['tag[]', wellFormed(vorname)],
        ['empty', ''],
        ['mail', `${wellFormed(src)}=${wellFormed(src)}`],
      ]);
      expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    }),
  );
});

describe('an XML body', () => {
  it('preserves every value except characters that are invalid in XML', () => {
    const possible = (text: string) =>
      // oxlint-disable-next-line no-control-regex
      wellFormed(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
    fc.assert(
      fc.property(hostile, hostile, (vorname, src) => {
        const { body = '' } = build(
          {
            http_body_kind: 'xml',
            http_body: '<?xml version="1.0"?><l a="$$src$$" b=\'$$src$$\'><n>|$$vorname$$|</n><e/></l>',
          },
          { vorname, src },
        );
        expect(readXml(body)).toEqual({
          ok: true,
          value: { l: { '@a': possible(src), '@b': possible(src), n: `|${possible(vorname)}|`, e: '' } },
        });
      }),
    );
  });

  it.each([
    ['<a><b></a>', '</a> closes nothing'],
    ['<a>', '<a> is not closed'],
    ['<a/><b/>', 'more than one outer element'],
    ['text', 'text outside its element'],
    ['', 'it has no element'],
    ['<a>&copy;</a>', '&amp;'],
    ['<a>x & y</a>', '&amp;'],
    ['<a x=1/>', 'cannot be read'],
    ['<a x="1" x="2"/>', 'x twice'],
    ['<$$vorname$$/>', 'cannot be read'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'cannot be read'],
    ['<a><![CDATA[$$vorname$$]]></a>', 'CDATA'],
    ['<a><!-- $$vorname$$ --></a>', 'comments'],
  ])('%s is rejected', (http_body, text) => {
    expect(httpProblems(settings({ http_body_kind: 'xml', http_body })).http_body).toContain(text);
  });

  it('is parsed into values for paths', () => {
    const xml = '<r s="ok"><id>7</id><l>1</l><l x="2">&#65;&amp;</l><![CDATA[<raw>]]></r>';
    expect(readXml(xml)).toEqual({
      ok: true,
      value: { r: { '@s': 'ok', id: '7', l: ['1', { '@x': '2', '#text': 'A&' }], '#text': '<raw>' } },
    });
    expect(readXml('<a>'.repeat(200) + '</a>'.repeat(200))).toMatchObject({ ok: false });
    expect(escapeXml('\r"\'')).toBe('&#13;&quot;&apos;');
  });
});

describe('the URL', () => {
  it('keeps its server and path with any value, and preserves parameters', () => {
    fc.assert(
      fc.property(hostile, hostile, (vorname, src) => {
        const { url } = build(
          { http_url: 'https://crm.example:8443/a/$$vorname$$/b?q=$$src$$&z=1' },
          { vorname, src },
        );
        const { host, pathname, searchParams, hash } = new URL(url);
        expect(host).toBe('crm.example:8443');
        expect(pathname.split('/')).toHaveLength(4);
        expect(pathname).toMatch(/^\/a\/.*\/b$/s);
        expect(hash).toBe('');
        if (!/^\.+$/.test(src))
          expect([...searchParams]).toEqual([
            ['q', wellFormed(src)],
            ['z', '1'],
          ]);
      }),
    );
  });

  it.each([
    ['http://crm.example/', 'starts with https://'],
    ['https://$$src$$.example/', 'cannot contain a macro'],
    ['https://user:password@crm.example/', 'starts with https://'],
    ['https://crm.example/a b', 'starts with https://'],
    ['https://crm.example/#x', 'starts with https://'],
    ['https://crm.example/?a=$$nobody$$', 'Unknown macro $$nobody$$'],
    ['https://crm.example:65536/', 'The port is at most 65535'],
    ['https://crm.example/?a=$$src$', 'A $$ belongs to no macro'],
    ['https://crm.example/$$telefon:plus$$', 'Available: e164, national, digits'],
    ['https://crm.example/$$email:x$$', '$$email$$ has no formats'],
    ['https://crm.example/$$secret$$', 'needs an authentication'],
  ])('%s is rejected', (http_url, text) => {
    expect(httpProblems(settings({ http_url })).http_url).toContain(text);
  });

  it.each([
    'http://localhost:3001/x',
    'http://127.0.0.1:65535/x',
    'https://a.b-c.example/x/$$lead_id$$?y=$$src$$',
  ])('%s is accepted', (http_url) => expect(httpProblems(settings({ http_url }))).toEqual({}));
});

describe('headers and authentication', () => {
  it.each([
    ['bearer', {}, { authorization: 'Bearer s3cret&"<' }],
    [
      'basic',
      { http_user: 'jürgen' },
      { authorization: `Basic ${Buffer.from('jürgen:s3cret&"<').toString('base64')}` },
    ],
    ['header', { http_key_name: 'X-Key' }, { 'x-key': 's3cret&"<' }],
    [
      'macro',
      { http_headers: [{ name: 'Authorization', value: 'Token $$secret$$' }] },
      { authorization: 'Token s3cret&"<' },
    ],
  ])('%s', (http_auth, changes, headers) => {
    expect(build({ http_auth, ...changes }).headers).toMatchObject(headers);
  });

  it('adds a key to the URL, and secrets at their macros', () => {
    const query = { http_auth: 'query', http_key_name: 'a key' };
    expect(build(query).url).toBe('https://crm.example/leads?a%20key=s3cret%26%22%3C');
    expect(build({ ...query, http_url: 'https://crm.example/?x=1' }).url).toBe(
      'https://crm.example/?x=1&a%20key=s3cret%26%22%3C',
    );
    expect(build({ http_auth: 'macro', http_body: '{"k":"$$secret$$","l":$$secret2$$}' }).body).toBe(
      '{"k":"s3cret&\\"<","l":"two"}',
    );
  });

  it('keeps personal values within their header', () => {
    fc.assert(
      fc.property(hostile, (vorname) => {
        const { headers } = build(
          { http_headers: [{ name: 'X-Name', value: 'a $$vorname$$' }] },
          { vorname },
        );
        expect(headers['x-name']).toMatch(/^a [ -~]*$/);
      }),
    );
  });

  it.each([
    [
      [
        { name: 'X-A', value: '1' },
        { name: 'x a', value: '1' },
      ],
      'Header 2: This is not a valid header name',
    ],
    [
      [
        { name: 'X-A', value: '1' },
        { name: 'x-a', value: '2' },
      ],
      'is repeated',
    ],
    [[{ name: 'X-Api-Key', value: 'abc' }], 'looks like a secret'],
    [[{ name: 'X-A', value: 'ä' }], 'only ASCII characters'],
    [[{ name: 'X-A', value: '$$x$$' }], 'Unknown macro $$x$$'],
  ])('%j is rejected', (http_headers, text) => {
    expect(httpProblems(settings({ http_headers })).http_headers).toContain(text);
  });

  it.each(
    `Connection Content-Length Expect Host Keep-Alive TE Trailer Transfer-Encoding Upgrade
    Webhook-Id Webhook-Signature Webhook-Timestamp`.split(/\s+/),
  )('%s is set only by the connection or the signature', (name) => {
    const { http_headers } = httpProblems(settings({ http_headers: [{ name, value: 'x' }] }));
    expect(http_headers).toBe(`Header 1: ${name} is set automatically`);
  });
});

describe('the check', () => {
  it.each([
    [{ http_body: '{"a": }' }, 'http_body', 'This is not JSON'],
    [{ http_body: '{$$vorname$$: 1}' }, 'http_body', 'This is not JSON'],
    [{ http_body: '["\\$$vorname$$"]' }, 'http_body', 'This is not JSON'],
    [{ http_body: '[1$$anlagebetrag$$]' }, 'http_body', 'This is not JSON'],
    [{ http_body: '{"a": "$$vornam$$"}' }, 'http_body', 'Unknown macro $$vornam$$'],
    [{ http_body: '{"a": "$$e-mail$$", "b": "$$email$$"}' }, 'http_body', 'A $$ belongs to no macro'],
    [{ http_auth: 'macro', http_body: '{"a": "$$secret2$$"}' }, 'http_body', 'The second secret is missing'],
    [{ http_body_kind: 'form', http_body: 'a=1\nb' }, 'http_body', 'Line 2: enter it as name=value'],
    [{ http_body_kind: 'form', http_body: 'a=1\n=2' }, 'http_body', 'Line 2: enter it as name=value'],
    [{ http_id_path: 'a..b' }, 'http_id_path', 'Enter a path such as'],
    [{ http_auth: 'header', http_key_name: 'a b' }, 'http_key_name', 'not a valid header name'],
    [
      { http_rules: [{ subject: 'path', path: '[', value: '1', verdict: 'refused' }] },
      'http_rules',
      'Rule 1: Enter a path',
    ],
    [
      { http_rules: [{ subject: 'status', path: '', value: '99', verdict: 'refused' }] },
      'http_rules',
      'such as 409',
    ],
    [
      { http_rules: [{ subject: 'text', path: '', value: ' ', verdict: 'refused' }] },
      'http_rules',
      'the expected value is missing',
    ],
  ] as const)('%j: %s', (changes, name, text) => {
    expect(httpProblems(settings(changes))[name]).toContain(text);
  });

  it('accepts a form with empty and indented lines', () => {
    const http_body = ' a=1 \n  \n b=2';
    expect(httpProblems(settings({ http_body_kind: 'form', http_body }))).toEqual({});
  });

  it('does not check the body of a GET', () => {
    expect(httpProblems(settings({ http_method: 'GET', http_body: '{' }))).toEqual({});
    expect(build({ http_method: 'GET' })).toMatchObject({ method: 'GET', body: undefined });
  });

  it('accepts the presets, which a preview can show', () => {
    const extras = CHANNEL_EXTRAS.http;
    for (const { id, values } of extras?.presets ?? []) {
      const all = { ...settings({ http_secret: 'x' }), ...values } as never;
      expect(extras?.problems(all), id).toEqual({});
      expect(extras?.preview(all), id).toContain('Erika');
    }
  });
});

describe('paths', () => {
  const answer = { data: { id: 7, 'lead id': 'a', list: [{ id: 1 }, { id: 2 }] } };
  it.each([
    ['data.id', 7],
    ['$.data.id', 7],
    ["data['lead id']", 'a'],
    ['data.list[1].id', 2],
    ['data.list.1.id', 2],
    ['data.list.id', 1],
    ['data.id[0]', 7],
    ['data.missing.id', undefined],
    ['constructor', undefined],
    ['$', answer],
  ])('%s', (path, value) => expect(valueAt(answer, stepsOf(path) ?? ['?'])).toEqual(value));

  it.each(['', 'a..b', '.a', '$a', 'a.', 'a[', "a['b", 'a[x]'])('%s is not a path', (path) =>
    expect(stepsOf(path)).toBeUndefined(),
  );
});

describe('answer rules', () => {
  const ruleOf: fc.Arbitrary<AnswerRule> = fc.record({
    subject: fc.constantFrom(...RULE_SUBJECTS),
    path: fc.constantFrom('', 'a', 'a.b', '[0]', '$', '['),
    value: fc.constantFrom('200', '4xx', '200-299, 409', 'ok', '*', 'A', ''),
    verdict: fc.constantFrom(...VERDICTS),
  });
  const bodyOf = fc.oneof(
    fc.constantFrom(
      '',
      'ok',
      '{"a":"OK"}',
      '{"a":{"b":false}}',
      '[1]',
      '<a><b>ok</b></a>',
      '{"a":',
      '<html>',
    ),
    fc.string(),
  );
  const judged = (rules: readonly AnswerRule[], status: number, body: string, type = '') =>
    judge(rules, { status, type, body, parsed: () => parsedAnswer(body) });

  it('decide every answer by the first match', () => {
    fc.assert(
      fc.property(
        fc.array(ruleOf, { maxLength: 5 }),
        fc.integer({ min: 100, max: 599 }),
        bodyOf,
        (rules, status, body) => {
          const { verdict, rule } = judged(rules, status, body);
          const alone = rules.findIndex((one) => judged([one], status, body).rule === 0);
          expect(rule).toBe(alone === -1 ? null : alone);
          if (rule !== null) expect(verdict).toBe(rules[rule]?.verdict);
          else expect(['by_status', 'unclear']).toContain(verdict);
          // Rules after the deciding one have no effect.
          if (rule !== null)
            expect(judged(rules.slice(0, rule + 1), status, body)).toEqual({ verdict, rule });
        },
      ),
    );
  });

  it.each([
    [{ subject: 'status', value: '4xx' }, 404, '', true],
    [{ subject: 'status', value: '200-204, 409' }, 409, '', true],
    [{ subject: 'status', value: '200-204' }, 205, '', false],
    [{ subject: 'path', path: 'a.b', value: 'Yes' }, 200, '{"a":{"b":"yes "}}', true],
    [{ subject: 'path', path: 'a', value: ' x ' }, 200, ' {"a":"x"}\n', true],
    [{ subject: 'path', path: 'r', value: 'x' }, 200, ' \n<r>x</r> ', true],
    [{ subject: 'path', path: 'a[0].b', value: '*' }, 200, '{"a":{"b":1}}', true],
    [{ subject: 'path', path: 'a', value: '*' }, 200, '{"a":null}', false],
    [{ subject: 'text', value: ' no ' }, 200, 'NO', true],
    [{ subject: 'path', path: 'a', value: '-2' }, 200, '{"a":-2}', true],
    [{ subject: 'path', path: 'a', value: 'true' }, 200, '{"a":true}', true],
    [{ subject: 'path', path: 'a', value: '*' }, 200, '{"a":{}}', false],
    [{ subject: 'path', path: 'a', value: '*' }, 200, '{"a":false}', false],
    [{ subject: 'path', path: 'a', value: '*' }, 200, '{"a":"x"}', true],
    [{ subject: 'path', path: 'r.@code', value: '7' }, 200, '<r code="7"/>', true],
    [{ subject: 'text', value: 'Already' }, 200, 'it is ALREADY here', true],
  ] as const)('%j of %i %s: %s', (part, status, body, fits) => {
    const rule: AnswerRule = { path: '', verdict: 'refused', ...part };
    expect(ruleProblem(rule)).toBeUndefined();
    expect(judged([rule], status, body).rule).toBe(fits ? 0 : null);
  });

  it.each([
    [200, '{"id":1}', 'application/json', 'by_status'],
    [200, '', 'application/json', 'by_status'],
    [200, '"queued"', 'application/json', 'by_status'],
    [200, 'OK', 'text/plain', 'by_status'],
    [200, '{"id":', 'text/plain', 'unclear'],
    [200, '%%{', 'application/json', 'unclear'],
    [200, '<!doctype html><h1>Back soon</h1>', 'text/html', 'unclear'],
    [200, '\n <HTML lang="de">', 'text/plain', 'unclear'],
    [200, 'no <html>', 'text/plain', 'by_status'],
    [200, ' \n', 'application/json', 'by_status'],
    [200, ' "queued"', 'application/json', 'by_status'],
    [299, '{', '', 'unclear'],
    [300, '{', '', 'by_status'],
    [503, '<html>', 'text/html', 'by_status'],
  ])('without a rule %i %s of %s is %s', (status, body, type, verdict) => {
    expect(judged([], status, body, type).verdict).toBe(verdict);
  });

  it('with a rule for accepted leads, other successes are unclear', () => {
    const rule: AnswerRule = { subject: 'path', path: 'ok', value: 'true', verdict: 'accepted' };
    expect(judged([rule], 200, '{"ok":false}').verdict).toBe('unclear');
    expect(judged([rule], 200, '{"ok":true}').verdict).toBe('accepted');
  });
});
