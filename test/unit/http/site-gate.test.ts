import { createSign, generateKeyPairSync } from 'node:crypto';
import { getSignedCookies } from '@aws-sdk/cloudfront-signer';
import { describe, expect, it } from 'vitest';
import {
  adminCookieHeaders,
  clearedAdminCookieHeaders,
  signAdminCookies,
} from '#functions/http/site-gate/sign';
import { verifySignedCookies } from '#functions/http/site-gate/verify';

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const own = pair();
const foreign = pair();
const keyGroup: Record<string, string> = { K1: own.publicKey };
const site = 'https://leads.example.com';
const file = `${site}/admin-assets/shell-Ab12.js`;
const now = new Date('2026-03-02T08:00:00Z');
const later = (hours: number, seconds = 0) => new Date(now.getTime() + (hours * 3600 + seconds) * 1000);
const cookies = signAdminCookies({ keyPairId: 'K1', privateKey: own.privateKey }, site, now);

/** The gate's answer; by default for a file of the admin build, now. */
const gate = (
  shown: Parameters<typeof verifySignedCookies>[1],
  { url = file, at = now, keys = keyGroup } = {},
) => verifySignedCookies(keys, shown, url, at);

const encode = (bytes: string | Buffer) =>
  Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~');
const signed = (policy: string, privateKey = own.privateKey, hash = 'RSA-SHA1') => ({
  'CloudFront-Policy': encode(policy),
  'CloudFront-Signature': encode(createSign(hash).update(policy).sign(privateKey)),
  'CloudFront-Key-Pair-Id': 'K1',
});

/** A policy for the files of the admin build, valid for this many hours. */
const policyUntil = (hours: number, more: object = {}) =>
  JSON.stringify({
    Statement: [
      {
        Resource: `${site}/admin-assets/*`,
        Condition: { DateLessThan: { 'AWS:EpochTime': later(hours).getTime() / 1000 }, ...more },
      },
    ],
  });

describe('the gate of the admin build', () => {
  it('opens every admin file to the cookies of a login', () => {
    for (const url of [file, `${file}.map`, `${site}/admin-assets/deep/er/chunk.js`, `${file}?v=1`])
      expect(gate(cookies, { url })).toBe('granted');
  });

  it('stays open for exactly twelve hours', () => {
    expect(gate(cookies, { at: later(12, -1) })).toBe('granted');
    expect(gate(cookies, { at: later(12) })).toBe('expired');
  });

  it.each([
    ['another path', `${site}/assets/index.js`],
    ['a path with only a common prefix', `${site}/admin-assets.js`],
    ['another host', 'https://evil.example.com/admin-assets/shell.js'],
    ['a host for which the dot would be a wildcard', 'https://leadsxexample.com/admin-assets/shell.js'],
    ['plain http', 'http://leads.example.com/admin-assets/shell.js'],
    ['other letters', `${site}/ADMIN-ASSETS/shell.js`],
  ])('does not open %s', (_, url) => {
    expect(gate(cookies, { url })).toBe('other_resource');
  });

  it('rejects a policy that was changed after signing', () => {
    expect(gate({ ...cookies, 'CloudFront-Policy': encode(policyUntil(9000)) })).toBe('bad_signature');
  });

  it('rejects the signature of another key under any ID', () => {
    const by = (keyPairId: string) =>
      signAdminCookies({ keyPairId, privateKey: foreign.privateKey }, site, now);
    expect(gate(by('K1'))).toBe('bad_signature');
    expect(gate(by('K2'))).toBe('unknown_key');
    expect(gate({ ...cookies, 'CloudFront-Key-Pair-Id': 'constructor' })).toBe('unknown_key');
  });

  it('rejects a request without any one of the three cookies', () => {
    for (const name of Object.keys(cookies))
      expect(gate({ ...cookies, [name]: undefined })).toBe('no_cookies');
  });

  it('rejects an invalid signed policy: not JSON, two statements, no end, an unknown condition', () => {
    const { Statement: statements } = JSON.parse(policyUntil(9)) as { Statement: object[] };
    for (const policy of [
      'nonsense',
      JSON.stringify({ Statement: [...statements, ...statements] }),
      JSON.stringify({ Statement: [{ ...statements[0], Condition: {} }] }),
      policyUntil(9, { IpAddress: { 'AWS:SourceIp': '192.0.2.0/24' } }),
    ])
      expect(gate(signed(policy))).toBe('bad_policy');
  });

  it('rejects a policy before its start time', () => {
    const begins = { 'AWS:EpochTime': later(1).getTime() / 1000 };
    const shown = signed(policyUntil(2, { DateGreaterThan: begins }));
    expect(gate(shown)).toBe('not_yet');
    expect(gate(shown, { at: later(1, 1) })).toBe('granted');
  });

  it('accepts the vendor’s SHA-256 signatures too', () => {
    const policy = policyUntil(1);
    const key = { keyPairId: 'K1', privateKey: own.privateKey };
    const sha256: object = getSignedCookies({ ...key, policy, algorithm: 'SHA256' });
    expect(gate(sha256 as Record<string, string>)).toBe('granted');
    expect(gate({ ...signed(policy), 'CloudFront-Hash-Algorithm': 'SHA256' })).toBe('bad_signature');
  });

  it('trusts both keys during a rotation, and only the new one afterwards', () => {
    const next = signAdminCookies({ keyPairId: 'K2', privateKey: foreign.privateKey }, site, now);
    const both = { K1: own.publicKey, K2: foreign.publicKey };
    expect(gate(cookies, { keys: both })).toBe('granted');
    expect(gate(next, { keys: both })).toBe('granted');
    expect(gate(cookies, { keys: { K2: foreign.publicKey } })).toBe('unknown_key');
  });
});

describe('the cookies of the gate', () => {
  it('are sent for admin files only, and not readable by scripts', () => {
    const headers = adminCookieHeaders(cookies, true);
    expect(headers).toHaveLength(3);
    for (const header of headers) {
      expect(header).toMatch(/^CloudFront-[A-Za-z-]+=[A-Za-z0-9~_-]+; Max-Age=43200; /);
      expect(header).toContain('; Path=/admin-assets; HttpOnly; SameSite=Strict; Secure');
    }
    expect(adminCookieHeaders(cookies, false).join()).not.toContain('Secure');
  });

  it('are deleted with the same path, so that browsers remove them', () => {
    for (const header of clearedAdminCookieHeaders(true)) {
      expect(header).toMatch(/^CloudFront-[A-Za-z-]+=; Max-Age=0; Path=\/admin-assets; /);
    }
  });
});
