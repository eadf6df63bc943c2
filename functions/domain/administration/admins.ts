/** Admin accounts, passwords, sessions, and the limit on password guesses. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Guesses, SessionStore } from '#functions/data/administration/session-store';
import { DomainError } from '#functions/domain/common/errors';
import type { Runtime } from '#functions/runtime';

export const SESSION_HOURS = 12;
const MAX_WRONG_PASSWORDS = 5;
const WINDOW_SECONDS = 15 * 60;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;

export interface AdminDeps {
  readonly sessions: SessionStore;
  readonly runtime: Runtime;
}

/** `scrypt$N$r$p$salt$hash`, so that the cost can rise later without breaking what is stored. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, SCRYPT, 32);
  return ['scrypt', SCRYPT.N, SCRYPT.r, SCRYPT.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: SCRYPT.maxmem };
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length);
  return timingSafeEqual(actual, expected);
}

function derive(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number; maxmem: number },
  length: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, length, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** A hash that no password matches, so that an unknown name costs as much time as a known one. */
const NOBODY = hashPassword(randomBytes(16).toString('hex'));

/** A browser in which an admin has logged in before; every login gives it a new id. */
export interface KnownBrowser {
  readonly id: string;
  readonly username: string;
}

/**
 * Checks a password and opens a session.
 * @param input `address` is the client's, `browser` the one that its device cookie names; both for the limit on guesses
 * @returns the session, and what the browser is known by from now on
 * @throws DomainError `unauthenticated` for a wrong name or password alike, `too_many` after five wrong ones within 15
 *   minutes from the address, or for the name by unknown browsers, or by this known browser
 */
export async function logIn(
  deps: AdminDeps,
  input: { username: string; password: string; address: string; browser?: KnownBrowser | undefined },
): Promise<{ sessionId: string; username: string; expiresAt: Date; browser: KnownBrowser }> {
  const now = deps.runtime.now();
  const { browser } = input;
  const name = input.username.toLowerCase();
  // Everybody may guess for a name. A browser that has logged in with it is counted by itself instead, so that nobody
  // else can lock its admin out.
  const counters = [
    browser?.username.toLowerCase() === name ? `browser:${browser.id}` : `name:${name}`,
    `address:${input.address}`,
  ];
  const { sessions } = deps;
  requireAtMost(
    MAX_WRONG_PASSWORDS - 1,
    await Promise.all(counters.map((of) => sessions.guesses(of, now))),
    now,
  );
  // Counted before the password is checked, so that concurrent guesses do not exceed the limit.
  const counted = await Promise.all(counters.map((of) => sessions.countGuess(of, now, WINDOW_SECONDS)));
  requireAtMost(MAX_WRONG_PASSWORDS, counted, now);
  const admin = await sessions.admin(input.username);
  const matches = await passwordMatches(input.password, admin?.password_hash ?? (await NOBODY));
  if (admin === undefined || !matches)
    throw new DomainError('unauthenticated', 'invalid_credentials', 'Invalid credentials');
  await Promise.all(counters.map((of) => sessions.forgetGuesses(of)));
  const sessionId = deps.runtime.newToken();
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  await sessions.openSession(sessionId, admin, expiresAt);
  const { username } = admin;
  return { sessionId, username, expiresAt, browser: { id: deps.runtime.newToken(), username } };
}

/** @throws DomainError `too_many` when any counter is above `most`, with the seconds until all of them expire */
function requireAtMost(most: number, counters: readonly (Guesses | undefined)[], now: Date): void {
  const closed = counters.flatMap((guesses) =>
    guesses !== undefined && guesses.count > most ? [guesses.until.getTime()] : [],
  );
  if (closed.length > 0)
    throw new DomainError('too_many', 'too_many_attempts', 'Too many attempts. Please try again later.', {
      retryAfter: Math.max(1, Math.ceil((Math.max(...closed) - now.getTime()) / 1000)),
    });
}

/** Makes the first admin if there is none yet. @returns whether it did */
export async function ensureFirstAdmin(
  deps: AdminDeps,
  username: string,
  password: string,
): Promise<boolean> {
  if ((await deps.sessions.admins()).length > 0) return false;
  return addAdmin(deps, username, password);
}

/** @returns false when the name is taken */
export async function addAdmin(deps: AdminDeps, username: string, password: string): Promise<boolean> {
  return deps.sessions.addAdmin({
    username,
    password_hash: await hashPassword(password),
    created_at: deps.runtime.now().toISOString(),
  });
}

/** Ends every session of that admin. @returns false when there is no such admin */
export async function resetPassword(deps: AdminDeps, username: string, password: string): Promise<boolean> {
  return deps.sessions.setPasswordHash(username, await hashPassword(password));
}
