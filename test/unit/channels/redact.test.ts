import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '#functions/channels/redact';

describe('redact', () => {
  it.each([
    ['{"password":"Aa12345!","email":"a@b.de"}', '{"password":[removed],"email":"a@b.de"}'],
    ['api_key=abc&name=Max', 'api_key=[removed]&name=Max'],
    ['X-Trackbox-Password: hunter2', 'X-Trackbox-Password: [removed]'],
    ['see https://box.example/u/d/TOKEN123?x=1 now', 'see https://box.example/[removed] now'],
    ['https://user:pw@box.example/', 'https://box.example'],
    ['{"url":"https:\\/\\/box.example\\/u\\/d\\/TOKEN"}', '{"url":"https:\\/\\/box.example/[removed]"}'],
    ['Authorization: Bearer abcdef123456', 'Authorization: [removed] [removed]'],
    ['334 UGFzc3dvcmQ6', '334 [removed]'],
    ['User and password doesnt match, please', 'User and password doesnt match, please'],
    ['550 5.1.1 no such user', '550 5.1.1 no such user'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['k3@example.com is known', 'example', ['k3@example.com'], 'k3@example.com is known'],
    ['{"mail":"k3@ex\\u00e4mple.com"}', 'mple', ['k3@exämple.com'], '{"mail":"k3@ex\\u00e4mple.com"}'],
    ['key example refused', 'example', ['k3@example.com'], 'key [removed] refused'],
    [
      'k3@example.com and x-k3@example.com-y',
      'x-k3@example.com-y',
      ['k3@example.com'],
      'k3@example.com and [removed]',
    ],
    ['example', 'example', ['example'], '[removed]'],
    ['The examples of example', 'example', [], 'The examples of [removed]'],
    ['tokenQ8zK2mP4xR refused', 'Q8zK2mP4xR', [], 'token[removed] refused'],
  ])('from "%s" removes the secret %s, and keeps public values: %j', (text, secret, open, expected) => {
    expect(redact(text, [secret], open)).toBe(expected);
  });

  it.each([
    ['in XML', 'p&amp;s&quot;s&lt;w0rd&apos;/+='],
    ['in HTML', 'p&amp;s&#34;s&lt;w0rd&#039;&#x2F;+&#x3D;'],
    ['in JSON within JSON', String.raw`p&s\\"s<w0rd'\/+=`.replace('\\\\"', String.raw`\\\"`)],
    ['in JSON with Unicode escapes', String.raw`p\u0026s\u0022s\u003Cw0rd\u0027/+=`],
    ['in JSON in HTML', String.raw`p&amp;s\&quot;s&lt;w0rd&#x27;/+=`],
    ['in a URL with lower-case hex digits', 'p%26s%22s%3cw0rd%27%2f%2b%3d'],
  ])('removes a secret with special characters %s', (_, spelled) => {
    expect(redact(`a ${spelled} b`, [`p&s"s<w0rd'/+=`])).toBe('a [removed] b');
  });

  it('removes known secrets in every encoding, within the maximum length', () => {
    const secret = fc.string({ minLength: 6, maxLength: 40 }).filter((text) => text.trim().length >= 6);
    fc.assert(
      fc.property(secret, fc.string(), fc.string({ maxLength: 900 }), (key, before, after) => {
        const spelled = [
          key,
          JSON.stringify(key).slice(1, -1),
          encodeURIComponent(key),
          Buffer.from(key).toString('base64'),
        ];
        const result = redact(`${before} ${spelled.join(' | ')} ${after}`, [key]);
        expect(Array.from(result).length).toBeLessThanOrEqual(500);
        for (const form of spelled)
          if (!before.includes(form) && !after.includes(form) && !'[removed] | '.includes(form))
            expect(result).not.toContain(form);
      }),
    );
  });

  it('never splits a surrogate pair', () => {
    expect(redact('😀'.repeat(600))).toBe(`${'😀'.repeat(499)}…`);
  });

  // A pattern with backtracking would need hours.
  it('ends quickly for hostile text', { timeout: 20_000 }, () => {
    for (const hostile of [
      'a'.repeat(250_000),
      'password'.repeat(30_000),
      'https://'.repeat(30_000),
      '"password":"'.repeat(20_000),
    ])
      expect(redact(hostile, ['secret-secret']).length).toBeLessThanOrEqual(500);
  });
});
