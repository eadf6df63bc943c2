import type { FunctionEnvironment } from '#functions/api/auth/environment';
import type { SessionName } from '#functions/data/administration/session-store';
import { keys } from '#functions/data/table/keys';
import { openTable } from '#functions/data/table/open-table';
import { logIn, SESSION_HOURS } from '#functions/domain/administration/admins';
import { type ApiHandler, createApi, WithCookies } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import { deviceCookie, readDevice } from '#functions/http/device-cookie';
import { readSession, SESSION_COOKIE, sessionCookie, signSession } from '#functions/http/session-cookie';
import { readSecretText } from '#functions/keys/keys';
import { remembered } from '#functions/remembered';
import type { Runtime } from '#functions/runtime';
import { adminCookieHeaders, clearedAdminCookieHeaders, signAdminCookies } from '#functions/site-gate/sign';
import { authSchemas } from '#shared/contract/schemas/auth';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const deps = createApiDeps(environment, runtime, table);
  const secure = deps.publicBaseUrl.startsWith('https:');
  const gateKey = remembered(async () =>
    environment.CLOUDFRONT_PRIVATE_KEY
      ? environment.CLOUDFRONT_PRIVATE_KEY
      : readSecretText(environment.CLOUDFRONT_KEY_ARN),
  );

  /** The `Set-Cookie` values that give access to the admin build; none where the site has no gate. */
  const gateCookies = async (): Promise<string[]> => {
    const keyPairId = environment.CLOUDFRONT_KEY_PAIR_ID;
    if (keyPairId === undefined) return [];
    const key = { keyPairId, privateKey: await gateKey() };
    return adminCookieHeaders(signAdminCookies(key, deps.publicBaseUrl, runtime.now()), secure);
  };

  const sessionNamed = async (cookies: ReadonlyMap<string, string>): Promise<SessionName | undefined> => {
    const token = cookies.get(SESSION_COOKIE);
    return token === undefined ? undefined : readSession((await deps.keys()).session, token, runtime.now());
  };

  return createApi('auth', authSchemas, deps, {
    checkAuth: async ({ cookies }) => {
      const session = await sessionNamed(cookies);
      return session !== undefined && (await deps.sessions.isOpen(session, runtime.now()))
        ? { authenticated: true, username: session.username }
        : { authenticated: false };
    },

    login: async ({ body, address, cookies }) => {
      const { session: key, device } = await deps.keys();
      const browser = await readDevice(device, cookies, runtime.now());
      const opened = await logIn(deps, { ...body, address, browser });
      const token = await signSession(key, opened);
      return new WithCookies({ message: 'Logged in' as const }, [
        sessionCookie(token, deps.publicBaseUrl, SESSION_HOURS * 3600),
        await deviceCookie(device, opened.browser, deps.publicBaseUrl, runtime.now()),
        ...(await gateCookies()),
      ]);
    },

    // Asked from outside all day: without a session no other call says whether a log-in would succeed. A failure ends in 500.
    getReadiness: async () => {
      await Promise.all([table.get(keys.format()), deps.keys()]);
      return { status: 'ok' as const };
    },

    logout: async ({ cookies }) => {
      const session = await sessionNamed(cookies);
      if (session !== undefined) await deps.sessions.closeSession(session.id);
      return new WithCookies({ message: 'Logged out' as const }, [
        sessionCookie('', deps.publicBaseUrl, 0),
        ...clearedAdminCookieHeaders(secure),
      ]);
    },
  });
}
