/** API keys on the in-memory table: how they are made, recognised, counted and revoked. */
import { describe, expect, it } from 'vitest';
import type { Session } from '#functions/data/administration/admin';
import * as apiKeyStore from '#functions/data/administration/api-key-store';
import * as sessionStore from '#functions/data/administration/session-store';
import type { Table } from '#functions/data/table/table';
import { addAdmin, openSession } from '#functions/domain/administration/admins';
import { noteKeyUse, requireApiKey } from '#functions/domain/administration/api-key-access';
import { createApiKey, revokeApiKey } from '#functions/domain/administration/api-keys';
import type { Scope } from '#shared/contract/scopes';
import { quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const MINUTE_MS = 60_000;
const from = { address: '192.0.2.1', user_agent: '' };

async function anAdmin() {
  let ms = START;
  const table = memoryTable();
  const runtime = {
    ...quietRuntime,
    now: () => new Date(ms),
  };
  const context = { table, runtime };
  await addAdmin(context, 'anna', 'a long password');
  const admin = await sessionStore.admin(context, 'anna');
  const { sessionId } = await openSession(context, admin!, { from });
  const session = await sessionStore.findOpen(context, { id: sessionId, username: 'anna' }, runtime.now());
  const create = (name: string, scopes: readonly Scope[] = ['read']) =>
    createApiKey(context, session as Session, { name, scopes });
  const later = (minutes: number) => (ms += minutes * MINUTE_MS);
  return { context, session: session as Session, create, later };
}

/** Counts the calls to the table by their name. */
function counting(table: Table): { readonly table: Table; readonly calls: string[] } {
  const calls: string[] = [];
  const counted = new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        calls.push(String(name));
        return Reflect.apply(value, target, given);
      };
    },
  });
  return { table: counted, calls };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: { readonly code?: string }) => error.code,
  );

describe('a new API key', () => {
  it('is stored by its hash, and its text is recognised', async () => {
    const { context, create } = await anAdmin();
    const { key, text } = await create('Make', ['read', 'leads']);
    expect(text).toMatch(/^lda_[0-9a-f]{72}$/);
    expect(key.prefix).toBe(text.slice(0, 10));
    const stored: string[] = [];
    for await (const items of context.table.scan()) stored.push(JSON.stringify(items));
    expect(stored.join()).not.toContain(text);
    expect(await requireApiKey(context, text, '192.0.2.9')).toMatchObject({
      name: 'Make',
      scopes: ['read', 'leads'],
      created_by: 'anna',
    });
  });

  it('has a name of its own, ignoring case, until it is revoked', async () => {
    const { context, session, create } = await anAdmin();
    const { key } = await create('Make');
    expect(await refusal(create('MAKE'))).toBe('key_exists');
    await revokeApiKey(context, session, key.id);
    await create('make');
  });

  it('is one of twenty at most, also when two are created at once', async () => {
    const { create } = await anAdmin();
    for (let at = 1; at < 20; at += 1) await create(`tool ${at}`);
    const both = await Promise.all([refusal(create('one')), refusal(create('other'))]);
    expect(both.filter((code) => code === undefined)).toHaveLength(1);
    expect(both).toContain('too_many_keys');
  });

  it('needs a login or confirmation of the last ten minutes', async () => {
    const { create, later } = await anAdmin();
    later(11);
    expect(await refusal(create('Make'))).toBe('reauthentication_required');
  });
});

describe('a call with an API key', () => {
  it('costs one read', async () => {
    const { context, create } = await anAdmin();
    const { text } = await create('Make');
    const { table, calls } = counting(context.table);
    await requireApiKey({ ...context, table }, text, '192.0.2.9');
    expect(calls).toEqual(['get']);
  });

  it('is refused from the moment of the revocation', async () => {
    const { context, session, create } = await anAdmin();
    const { key, text } = await create('Make');
    expect(await revokeApiKey(context, session, key.id)).toBe('Make');
    expect(await refusal(requireApiKey(context, text, '192.0.2.9'))).toBe('invalid_key');
    expect(await refusal(revokeApiKey(context, session, key.id))).toBe('key_not_found');
  });

  it('is refused after five wrong keys within 15 minutes from the address, unless the key is right', async () => {
    const { context, create, later } = await anAdmin();
    const { text } = await create('Make');
    const wrong = text.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const attempt = (key: string, address = '192.0.2.9') => refusal(requireApiKey(context, key, address));
    for (const key of [wrong, 'x', '', `${text}0`, wrong]) expect(await attempt(key)).toBe('invalid_key');
    expect(await attempt(wrong)).toBe('too_many_attempts');
    expect(await attempt(text)).toBeUndefined();
    expect(await attempt(wrong, '192.0.2.10')).toBe('invalid_key');
    later(16);
    expect(await attempt(wrong)).toBe('invalid_key');
  });

  it('records the use at most once an hour', async () => {
    const { context, create, later } = await anAdmin();
    const { text } = await create('Make');
    const use = async () => {
      const { table, calls } = counting(context.table);
      await noteKeyUse({ ...context, table }, await requireApiKey(context, text, '192.0.2.9'));
      return calls.length;
    };
    const uses: number[] = [];
    for (let calls = 0; calls < 4; calls += 1) {
      uses.push(await use());
      later(30);
    }
    expect(uses).toEqual([1, 0, 1, 0]);
    const [key] = await apiKeyStore.all(context);
    expect(key?.used_at).toBe('2026-11-20T11:00:00.000Z');
  });

  it('of two at the same time records one use, and none once revoked', async () => {
    const { context, session, create, later } = await anAdmin();
    const { key } = await create('Make');
    await noteKeyUse(context, key);
    later(1);
    await noteKeyUse(context, key);
    expect((await apiKeyStore.all(context))[0]?.used_at).toBe('2026-11-20T10:00:00.000Z');
    await revokeApiKey(context, session, key.id);
    later(120);
    await noteKeyUse(context, key);
    expect(await apiKeyStore.all(context)).toEqual([]);
  });
});
