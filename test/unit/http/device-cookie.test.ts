import { describe, expect, it } from 'vitest';
import { deviceCookie, readDevice } from '#functions/http/device-cookie';
import { DAY_MS } from '#test/harness/time';

const KEY = new Uint8Array(32).fill(7);
const NOW = new Date('2026-01-01T00:00:00Z');

describe('the device cookie', () => {
  const cookie = (baseUrl: string) => deviceCookie(KEY, { id: 'browser-1', username: 'ann' }, baseUrl, NOW);
  const jar = async () => {
    const [, token = ''] = /^device=([^;]+)/.exec(await cookie('http://localhost')) ?? [];
    return new Map([['device', token]]);
  };

  it('is sent to the login only, for 180 days, and not readable by scripts or other sites', async () => {
    expect((await cookie('https://leads.example.com')).replace(/=[^;]+/, '=token')).toBe(
      'device=token; Path=/api/login; HttpOnly; SameSite=Strict; Max-Age=15552000; Secure',
    );
    expect((await cookie('http://localhost:3000')).replace(/=[^;]+/, '=token')).toBe(
      'device=token; Path=/api/login; HttpOnly; SameSite=Strict; Max-Age=15552000',
    );
  });

  it('identifies the browser and its admin for as long', async () => {
    const cookies = await jar();
    const readAt = (ms: number, key = KEY) => readDevice(key, cookies, new Date(NOW.getTime() + ms));
    expect(await readAt(180 * DAY_MS - 1000)).toEqual({ id: 'browser-1', username: 'ann' });
    expect(await readAt(180 * DAY_MS)).toBeUndefined();
    expect(await readAt(0, new Uint8Array(32).fill(8))).toBeUndefined();
    expect(await readDevice(KEY, new Map(), NOW)).toBeUndefined();
  });
});
