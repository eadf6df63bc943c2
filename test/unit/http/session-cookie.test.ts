import { describe, expect, it } from 'vitest';
import { readCookies, readSession, sessionCookie, signSession } from '#functions/http/session-cookie';

const KEY = new Uint8Array(32).fill(7);
const SESSION = { sessionId: 's1', username: 'ann', expiresAt: new Date('2026-07-01T12:00:00Z') };

describe('the session cookie', () => {
  it('is not readable by scripts, other sites or plain HTTP', () => {
    expect(sessionCookie('abc', 'https://leads.example.com', 43_200)).toBe(
      'session=abc; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure',
    );
  });

  it('is sent over HTTP only if the product runs on HTTP', () => {
    expect(sessionCookie('abc', 'http://localhost:3000', 43_200)).toBe(
      'session=abc; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200',
    );
  });
});

describe('the session token', () => {
  it('identifies the session until it expires', async () => {
    const token = await signSession(KEY, SESSION);
    const read = (at: string, key = KEY) => readSession(key, token, new Date(at));
    expect(await read('2026-07-01T11:59:59Z')).toEqual({ id: 's1', username: 'ann' });
    expect(await read('2026-07-01T12:00:00Z')).toBeUndefined();
    expect(await read('2026-07-01T11:00:00Z', new Uint8Array(32).fill(8))).toBeUndefined();
  });

  it('is invalid if it is truncated, changed or empty', async () => {
    const token = await signSession(KEY, SESSION);
    for (const bad of ['', token.slice(0, -1), token.replace('.', '..'), 'a.b.c'])
      expect(await readSession(KEY, bad, new Date('2026-07-01T11:00:00Z'))).toBeUndefined();
  });
});

it('the cookies of a request are read by name, with values that contain an equals sign', () => {
  expect([...readCookies(['session=a=b', ' other=1'])]).toEqual([
    ['session', 'a=b'],
    ['other', '1'],
  ]);
  expect(readCookies(undefined).size).toBe(0);
});
