/** A signed token (JWT, HS256) with the ID of a stored session. */
import { jwtVerify, SignJWT } from 'jose';
import type { SessionName } from '#functions/data/administration/session-store';

export const SESSION_COOKIE = 'session';

export async function signSession(
  key: Uint8Array,
  session: { sessionId: string; username: string; expiresAt: Date },
): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(session.username)
    .setJti(session.sessionId)
    .setExpirationTime(session.expiresAt)
    .sign(key);
}

/** @returns undefined for an invalid or expired token */
export async function readSession(key: Uint8Array, jwt: string, now: Date): Promise<SessionName | undefined> {
  try {
    const { payload } = await jwtVerify(jwt, key, { algorithms: ['HS256'], currentDate: now });
    return payload.jti === undefined || payload.sub === undefined
      ? undefined
      : { id: payload.jti, username: payload.sub };
  } catch {
    return undefined;
  }
}

export function sessionCookie(token: string, baseUrl: string, maxAgeSeconds: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

/** From API Gateway's list of `name=value`. */
export function readCookies(cookies: readonly string[] | undefined): ReadonlyMap<string, string> {
  return new Map(
    (cookies ?? []).map((cookie) => {
      const at = cookie.indexOf('=');
      return [cookie.slice(0, at).trim(), cookie.slice(at + 1)];
    }),
  );
}
