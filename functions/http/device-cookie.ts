/** https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies */
import type { KnownBrowser } from '#functions/domain/administration/admins';
import { readSession, signSession } from '#functions/http/session-cookie';

export const DEVICE_COOKIE = 'device';
const REMEMBERED_DAYS = 180;

/** Only the login receives it. The token has a session's form but its own key, so neither can replace the other. */
export async function deviceCookie(
  key: Uint8Array,
  browser: KnownBrowser,
  baseUrl: string,
  now: Date,
): Promise<string> {
  const maxAgeSeconds = REMEMBERED_DAYS * 86_400;
  const expiresAt = new Date(now.getTime() + maxAgeSeconds * 1000);
  const token = await signSession(key, { sessionId: browser.id, username: browser.username, expiresAt });
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${DEVICE_COOKIE}=${token}; Path=/api/login; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

export async function readDevice(
  key: Uint8Array,
  cookies: ReadonlyMap<string, string>,
  now: Date,
): Promise<KnownBrowser | undefined> {
  const token = cookies.get(DEVICE_COOKIE);
  return token === undefined ? undefined : readSession(key, token, now);
}
