/** Passwords, login attempts and sessions of admins, on the in-memory table. */

import { randomBytes, scryptSync } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import * as sessionStore from '#functions/data/administration/session-store';
import { keys } from '#functions/data/table/keys';
import { removeAdmin, resetPassword } from '#functions/domain/administration/admin-access';
import {
  addAdmin,
  checkPassword,
  ensureFirstAdmin,
  hashPassword,
  openSession,
  passwordMatches,
} from '#functions/domain/administration/admins';
import { systemRuntime } from '#functions/platform/runtime';
import { quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';
import { MINUTE_MS } from '#test/harness/time';

const PASSWORD = 'correct horse battery staple';
/** The stored hash, at a thirtieth of the cost. */
const HASH = (() => {
  const salt = randomBytes(16);
  const hash = scryptSync(PASSWORD, salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  return ['scrypt', 2 ** 10, 8, 1, salt.toString('base64'), hash.toString('base64')].join('$');
})();

interface Attempt extends Partial<Omit<Parameters<typeof checkPassword>[1], 'from'>> {
  readonly address?: string;
}

/** The admin `Anna`, and a clock that the test sets. */
async function anAdmin() {
  const table = memoryTable();
  let now = new Date('2026-03-02T09:00:00.500Z');
  const runtime = { ...quietRuntime, now: () => now };
  const deps = {
    table,
    runtime,
  };
  await sessionStore.addAdmin(
    { table },
    { username: 'Anna', password_hash: HASH, created_at: now.toISOString() },
  );
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const enter = async ({ address = '198.51.100.1', ...input }: Attempt = {}) => {
    const from = { address, user_agent: '' };
    const admin = await checkPassword(deps, { username: 'Anna', password: PASSWORD, from, ...input });
    return openSession(deps, admin, { from });
  };
  const isOpen = async ({ sessionId, username }: Awaited<ReturnType<typeof enter>>) =>
    (await sessionStore.findOpen({ table }, { id: sessionId, username }, now)) !== undefined;
  const attempt = (input: Attempt = {}) =>
    enter({ password: 'wrong', ...input }).then(
      () => 'entered',
      (error: { code: string }) => error.code,
    );
  return { table, deps, later, enter, isOpen, attempt, now: () => now };
}

const WRONG = 'invalid_credentials';

describe('a password', () => {
  it('is stored as a salted hash that no other password matches', async () => {
    const [one, two] = [
      await hashPassword(systemRuntime, PASSWORD),
      await hashPassword(systemRuntime, PASSWORD),
    ];
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect(one).not.toBe(two);
    expect(await passwordMatches(systemRuntime, PASSWORD, one)).toBe(true);
    expect(await passwordMatches(systemRuntime, 'another', HASH)).toBe(false);
  });

  it('does not match another scheme or a truncated hash', async () => {
    for (const stored of [
      '',
      HASH.replace('scrypt', 'plain'),
      HASH.split('$').slice(0, 5).join('$'),
      'scrypt$1',
    ])
      expect(await passwordMatches(systemRuntime, PASSWORD, stored)).toBe(false);
  });
});

describe('a session', () => {
  it('ends after twelve hours and at logout', async () => {
    const { table, enter, isOpen, later, now } = await anAdmin();
    const first = await enter();
    expect(first).toMatchObject({ username: 'Anna', browser: { username: 'Anna' } });
    expect(first.expiresAt.getTime() - now().getTime()).toBe(12 * 60 * MINUTE_MS);
    expect(await isOpen(first)).toBe(true);
    later(12 * 60 * MINUTE_MS - 1000);
    expect(await isOpen(first)).toBe(true);
    later(1000);
    expect(await isOpen(first)).toBe(false);

    const [closed, kept] = [await enter(), await enter()];
    expect(closed.sessionId).not.toBe(kept.sessionId);
    await sessionStore.closeSession({ table }, { id: closed.sessionId, username: 'Anna' });
    expect([await isOpen(closed), await isOpen(kept)]).toEqual([false, true]);
  });

  it('requires an admin: the last one cannot be removed, and unknown admins cannot be reset', async () => {
    const { deps } = await anAdmin();
    expect(await resetPassword(deps, 'nobody', 'new')).toBe(false);
    await addAdmin(deps, 'Bert', 'other');
    await removeAdmin(deps, undefined, 'Anna');
    await expect(removeAdmin(deps, undefined, 'Anna')).rejects.toMatchObject({ code: 'admin_not_found' });
    await expect(removeAdmin(deps, undefined, 'Bert')).rejects.toMatchObject({ code: 'last_admin' });
  });
});

it('an admin is created once for each name, and the first one only if there is no admin', async () => {
  const { deps, table, now } = await anAdmin();
  expect(await addAdmin(deps, 'Anna', 'other')).toBe(false);
  expect(await ensureFirstAdmin(deps, 'Bert', 'other')).toBe(false);
  expect((await sessionStore.admins({ table })).map(({ username }) => username)).toEqual(['Anna']);
  await table.delete({ delete: keys.admin('Anna') });
  expect(await ensureFirstAdmin(deps, 'Bert', PASSWORD)).toBe(true);
  expect(await sessionStore.admins({ table })).toMatchObject([
    { username: 'Bert', created_at: now().toISOString() },
  ]);
});

describe('five wrong passwords within 15 minutes', () => {
  it('lock the name for every address, ignoring case, until the window ends', async () => {
    const { attempt, enter, later } = await anAdmin();
    for (let at = 0; at < 5; at += 1)
      expect(await attempt({ address: `198.51.100.${at}`, username: at === 0 ? 'ANNA' : 'Anna' })).toBe(
        WRONG,
      );
    later(5 * MINUTE_MS);
    await expect(enter({ address: '203.0.113.1' })).rejects.toMatchObject({
      kind: 'too_many',
      code: 'too_many_attempts',
      retryAfter: 600,
    });
    later(10 * MINUTE_MS - 1000);
    await expect(enter()).rejects.toMatchObject({ retryAfter: 1 });
    later(1000);
    expect(await enter()).toMatchObject({ username: 'Anna' });
  });

  it('lock the address for every name', async () => {
    const { attempt, table } = await anAdmin();
    for (const name of ['Bert', 'Carl', 'Dora'])
      await sessionStore.addAdmin({ table }, { username: name, password_hash: HASH, created_at: '' });
    for (const username of ['Bert', 'Carl', 'Dora', 'Bert', 'Carl'])
      expect(await attempt({ username })).toBe(WRONG);
    expect(await attempt()).toBe('too_many_attempts');
    expect(await attempt({ address: '203.0.113.1' })).toBe(WRONG);
  });

  it('are reset by the right password, and concurrent attempts all count', async () => {
    const { attempt, enter } = await anAdmin();
    for (let round = 0; round < 2; round += 1) {
      for (let at = 0; at < 4; at += 1) expect(await attempt()).toBe(WRONG);
      await enter();
    }
    const all = await Promise.all(Array.from({ length: 12 }, () => attempt()));
    expect(all.filter((code) => code === WRONG).length).toBeLessThanOrEqual(5);
    expect(new Set(all)).toEqual(new Set([WRONG, 'too_many_attempts']));
  });

  it('do not lock the name for a browser that has logged in with it', async () => {
    const { attempt, enter } = await anAdmin();
    const { browser } = await enter();
    const from = (last: number) => ({ address: `203.0.113.${last}` });
    for (let at = 0; at < 5; at += 1) expect(await attempt(from(at))).toBe(WRONG);
    expect(await attempt(from(9))).toBe('too_many_attempts');
    const entered = await enter({ browser });
    expect(entered.browser.id).not.toBe(browser.id);
    // A browser known for another name does not count as known, and a known browser has its own counter.
    await expect(enter({ browser: { ...browser, username: 'Bert' } })).rejects.toMatchObject({
      kind: 'too_many',
    });
    for (let at = 10; at < 15; at += 1) expect(await attempt({ ...from(at), browser })).toBe(WRONG);
    expect(await attempt({ ...from(20), browser })).toBe('too_many_attempts');
    expect(await attempt({ ...from(21), browser: entered.browser })).toBe(WRONG);
  });

  it('for an unknown name get the same answer after the same work', async () => {
    const { attempt, deps } = await anAdmin();
    const scrypt = vi.fn(async (_password: string, _salt: Buffer, length: number) => Buffer.alloc(length, 1));
    Object.assign(deps.runtime, { externalServices: { scrypt } });
    for (const username of ['Anna', 'nobody']) expect(await attempt({ username })).toBe(WRONG);
    expect(scrypt.mock.calls.map(([password, , length]) => [password, length])).toEqual([
      ['wrong', 32],
      ['wrong', 32],
    ]);
  });
});
