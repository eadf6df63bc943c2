import { scrypt, timingSafeEqual } from 'node:crypto';
import { type Admin, epochOf, type Origin } from '#functions/data/administration/admin';
import type { Attempts } from '#functions/data/administration/session-store';
import * as sessionStore from '#functions/data/administration/session-store';
import type { Context } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { DomainError, tooManyAttempts } from '#functions/domain/common/errors';
import type { Runtime } from '#functions/platform/runtime';

export const SESSION_HOURS = 12;
const MAX_WRONG_ATTEMPTS = 5;
const WINDOW_SECONDS = 15 * 60;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;

const SALT_BYTES = 16;
const HASH_BYTES = 32;

type Hashing = Pick<Runtime, 'newToken' | 'externalServices'>;

/** `scrypt$N$r$p$salt$hash`, so that the cost can rise later without breaking stored hashes. */
export async function hashPassword(runtime: Hashing, password: string): Promise<string> {
  const salt = Buffer.from(runtime.newToken(), 'base64url').subarray(0, SALT_BYTES);
  return stored(salt, await derive(runtime, password, salt, SCRYPT, HASH_BYTES));
}

const stored = (salt: Buffer, hash: Buffer) =>
  ['scrypt', SCRYPT.N, SCRYPT.r, SCRYPT.p, salt.toString('base64'), hash.toString('base64')].join('$');

/** No password matches this hash. With it, a login with an unknown name takes as long as one with a known name. */
const NOBODY = stored(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

export async function passwordMatches(runtime: Hashing, password: string, hashed: string): Promise<boolean> {
  const [scheme, n, r, p, salt, hash] = hashed.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: SCRYPT.maxmem };
  const actual = await derive(runtime, password, Buffer.from(salt, 'base64'), cost, expected.length);
  return timingSafeEqual(actual, expected);
}

function derive(
  { externalServices }: Hashing,
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number; maxmem: number },
  length: number,
): Promise<Buffer> {
  const text = password.normalize('NFKC');
  if (externalServices?.scrypt !== undefined) return externalServices.scrypt(text, salt, length);
  return new Promise((resolve, reject) => {
    scrypt(text, salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

export interface KnownBrowser {
  readonly id: string;
  readonly username: string;
}

export interface Newcomer {
  readonly from: Origin;
  readonly browser?: KnownBrowser | undefined;
}

export interface LoggedIn {
  readonly sessionId: string;
  readonly username: string;
  readonly expiresAt: Date;
  readonly limited: boolean;
  readonly browser: KnownBrowser;
}

/**
 * @returns an admin, who must still show a passkey if it has one
 * @throws DomainError `unauthenticated` for a wrong name or a wrong password; `too_many` after five wrong ones within 15 minutes from the
 *   address, for the name by unknown browsers, or by this known browser
 */
export async function checkPassword(
  context: Context,
  input: Newcomer & { readonly username: string; readonly password: string },
): Promise<Admin> {
  const { browser } = input;
  const name = input.username.toLowerCase();
  // A browser that has logged in with this name before has its own counter, so that wrong attempts elsewhere do not lock the admin out.
  const counters = [
    browser?.username.toLowerCase() === name ? `browser:${browser.id}` : `name:${name}`,
    `address:${input.from.address}`,
  ];
  const admin = await checkAttempt(context, counters, async () => {
    const found = await sessionStore.admin(context, input.username);
    // `||` instead of `??`: an empty hash must also take the time of a comparison.
    const matches = await passwordMatches(context.runtime, input.password, found?.password_hash || NOBODY);
    return matches ? found : undefined;
  });
  if (admin === undefined)
    throw new DomainError('unauthenticated', 'invalid_credentials', 'Invalid credentials');
  return admin;
}

export async function openSession(
  context: Context,
  admin: Admin,
  { from }: Newcomer,
  limited = false,
): Promise<LoggedIn> {
  const { runtime } = context;
  const now = runtime.now();
  const { username } = admin;
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  const sessionId = runtime.newToken();
  await sessionStore.openSession(context, {
    id: sessionId,
    username,
    reference: runtime.newId(),
    opened_with: epochOf(admin),
    opened_at: now.toISOString(),
    used_at: now.toISOString(),
    reauthenticated_at: now.toISOString(),
    ...(limited && { limited }),
    ...from,
    expires_at: epochSeconds(expiresAt),
  });
  return { sessionId, username, expiresAt, limited, browser: { id: runtime.newToken(), username } };
}

/** @param counters each allows five wrong attempts in 15 minutes @param verify returns undefined if wrong @throws DomainError `too_many` */
export async function checkAttempt<T>(
  context: Context,
  counters: readonly string[],
  verify: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const now = context.runtime.now();
  requireAtMost(
    MAX_WRONG_ATTEMPTS - 1,
    await Promise.all(counters.map((of) => sessionStore.attempts(context, of, now))),
    now,
  );
  // Counted before the check, so that concurrent attempts do not exceed the limit.
  const counted = await Promise.all(
    counters.map((of) => sessionStore.countAttempt(context, of, now, WINDOW_SECONDS)),
  );
  requireAtMost(MAX_WRONG_ATTEMPTS, counted, now);
  const right = await verify();
  if (right !== undefined) await Promise.all(counters.map((of) => sessionStore.forgetAttempts(context, of)));
  return right;
}

function requireAtMost(most: number, counters: readonly (Attempts | undefined)[], now: Date): void {
  const closed = counters.flatMap((attempts) =>
    attempts !== undefined && attempts.count > most ? [attempts.until.getTime()] : [],
  );
  if (closed.length > 0)
    throw tooManyAttempts('Too many attempts. Please try again later.', Math.max(...closed) - now.getTime());
}

export async function ensureFirstAdmin(
  context: Context,
  username: string,
  password: string,
): Promise<boolean> {
  if ((await sessionStore.admins(context)).length > 0) return false;
  return addAdmin(context, username, password);
}

export async function addAdmin(context: Context, username: string, password: string): Promise<boolean> {
  return sessionStore.addAdmin(context, {
    username,
    password_hash: await hashPassword(context.runtime, password),
    created_at: context.runtime.now().toISOString(),
    epoch: context.runtime.newId(),
  });
}
