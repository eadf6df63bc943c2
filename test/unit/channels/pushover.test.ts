import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createPushover, type Push } from '#functions/channels/pushover';
import { createGuard } from '#functions/net/guard';
import { createHttp } from '#functions/net/http';
import { startStub } from '#test/harness/stub-server';

const NOW = new Date('2026-11-20T10:00:00Z');
const KEYS = { token: 'a'.repeat(30), user: 'u'.repeat(30) };

const server = await startStub();
afterAll(() => server.stop());
beforeEach(() => {
  server.calls.length = 0;
  server.answer = () => ({ body: { status: 1, request: 'r' } });
});

const push = (changes: Partial<Push> = {}) =>
  createPushover({
    http: createHttp(createGuard({ allowPrivate: true }), { connections: 1 }),
    baseUrl: `${server.url}/1`,
    now: () => NOW,
  })({ ...KEYS, title: 'Title', message: 'Message', ...changes });
const form = () => Object.fromEntries(new URLSearchParams(server.calls[0]?.body));

describe('Pushover', () => {
  it('sends the documented form', async () => {
    expect(await push()).toEqual({ outcome: 'sent' });
    expect(server.calls[0]).toMatchObject({ method: 'POST', url: '/1/messages.json' });
    expect(form()).toEqual({ ...KEYS, title: 'Title', message: 'Message' });
  });

  it('counts characters, not UTF-16 units', async () => {
    await push({ title: '😀'.repeat(300), message: '😀'.repeat(1024) });
    expect(Array.from(form().message ?? '')).toHaveLength(1024);
    expect(form().message).toBe('😀'.repeat(1024));
    expect(Array.from(form().title ?? '')).toHaveLength(250);
    expect(form().title?.endsWith('😀…')).toBe(true);
  });

  it('never sends an empty message', async () => {
    await push({ message: ' \n ' });
    expect(form().message).toBe('Title');
  });

  it.each([
    [400, { user: 'invalid', errors: ['user identifier is invalid'], status: 0 }],
    [400, { token: 'invalid', errors: ['application token is invalid'], status: 0 }],
    [200, { status: 0, errors: ['no'] }],
    [404, {}],
  ])('is not retried after %i %j', async (status, body) => {
    server.answer = () => ({ status, body });
    expect((await push()).outcome).toBe('refused');
  });

  it('reports until when the quota is used up', async () => {
    const reset = Date.UTC(2026, 11, 1, 6) / 1000;
    server.answer = () => ({
      status: 429,
      headers: { 'x-limit-app-reset': String(reset) },
      body: { status: 0 },
    });
    expect(await push()).toMatchObject({ outcome: 'quota', until: new Date(reset * 1000) });
    server.answer = () => ({ status: 429, body: '' });
    expect(await push()).toMatchObject({ outcome: 'quota', until: new Date('2026-11-21T10:00:00Z') });
  });

  it.each([
    ['a 500', { status: 500, body: 'oops' } as const],
    ['a page with 200', { body: '<html></html>' } as const],
    ['a cut', 'cut' as const],
  ])('can be retried after %s', async (_, answer) => {
    server.answer = () => answer;
    expect((await push()).outcome).toBe('temporary');
  });

  it('shows no key', async () => {
    server.answer = (call) => ({ status: 400, body: { status: 0, errors: [call.body] } });
    const text = JSON.stringify(await push());
    expect(text).not.toContain(KEYS.token);
    expect(text).not.toContain(KEYS.user);
  });
});
