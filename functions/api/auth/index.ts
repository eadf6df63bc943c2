import {
  instantOf,
  LINK_SUBJECT,
  linkText,
  listedAdmin,
  listedApiKey,
  listedInvitation,
  listedPasskey,
  listedSession,
} from '#functions/api/auth/answers';
import type { FunctionEnvironment } from '#functions/api/auth/environment';
import { rightsOf } from '#functions/data/administration/admin';
import * as adminStore from '#functions/data/administration/admin-store';
import * as apiKeyStore from '#functions/data/administration/api-key-store';
import * as passkeyStore from '#functions/data/administration/passkey-store';
import type { SessionName } from '#functions/data/administration/session-store';
import * as sessionStore from '#functions/data/administration/session-store';
import { keys } from '#functions/data/table/keys';
import {
  acceptInvitation,
  changePassword,
  changeRole,
  endSessions,
  findInvitation,
  inviteAdmin,
  listSessions,
  type MadeLink,
  reauthenticateByPassword,
  removeAdmin,
  resetAdmin,
  withdrawInvitation,
} from '#functions/domain/administration/admin-access';
import { type KnownBrowser, type LoggedIn, SESSION_HOURS } from '#functions/domain/administration/admins';
import { createApiKey, revokeApiKey } from '#functions/domain/administration/api-keys';
import {
  addPasskey,
  beginLogin,
  beginReauthentication,
  beginRegistration,
  finishLogin,
  logInByPasskey,
  logInByPassword,
  openSessionWithoutPasskey,
  reauthenticateByPasskey,
  removePasskey,
  renewCodes,
  requirePasskeys,
} from '#functions/domain/administration/passkeys';
import { invalid } from '#functions/domain/common/errors';
import { type ApiHandler, createApi, WithCookies } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { deviceCookie, readDevice } from '#functions/http/device-cookie';
import { answered } from '#functions/http/message';
import { readSession, SESSION_COOKIE, sessionCookie, signSession } from '#functions/http/session-cookie';
import {
  adminCookieHeaders,
  clearedAdminCookieHeaders,
  signAdminCookies,
} from '#functions/http/site-gate/sign';
import { readSecretText } from '#functions/keys/keys';
import { createMailer } from '#functions/mail/mailer';
import { memoize } from '#functions/platform/memoize';
import type { Runtime } from '#functions/platform/runtime';
import { authSchemas } from '#shared/contract/schemas/auth';
import { INVITATION_PATH } from '#shared/contract/web-headers';

const secondFactorMissing = () => invalid('invalid_input', 'Enter a password, a passkey or a code');

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const context = createApiContext(environment, runtime);
  const secure = context.publicBaseUrl.startsWith('https:');
  const gateKey = memoize(
    async () => environment.CLOUDFRONT_PRIVATE_KEY ?? readSecretText(environment.CLOUDFRONT_KEY_ARN),
  );

  /** The `Set-Cookie` values that give access to the admin build; none without a gate. */
  const gateCookies = async (): Promise<string[]> => {
    const keyPairId = environment.CLOUDFRONT_KEY_PAIR_ID;
    if (keyPairId === undefined) return [];
    const key = { keyPairId, privateKey: await gateKey() };
    return adminCookieHeaders(signAdminCookies(key, context.publicBaseUrl, runtime.now()), secure);
  };

  const mail = createMailer(environment, runtime.log);
  const { origin, hostname: rpId } = new URL(context.publicBaseUrl);
  const access = {
    ...context,
    site: { origin, rpId },
    ceremonies: () => import('#functions/domain/administration/webauthn'),
  };

  const knownBrowser = async (cookies: ReadonlyMap<string, string>): Promise<KnownBrowser | undefined> =>
    readDevice((await context.keys()).device, cookies, runtime.now());

  const loggedIn = async (opened: LoggedIn) => {
    const { session, device } = await context.keys();
    const answer = { message: 'Logged in' as const, ...(opened.limited && { passkey_required: true }) };
    return new WithCookies(answer, [
      sessionCookie(await signSession(session, opened), context.publicBaseUrl, SESSION_HOURS * 3600),
      await deviceCookie(device, opened.browser, context.publicBaseUrl, runtime.now()),
      ...(await gateCookies()),
    ]);
  };

  /** Browsers do not send the part after the `#` to a server. */
  const madeLink = async ({ token, expiresAt }: MadeLink, to: string | undefined) => {
    const link = `${context.publicBaseUrl}${INVITATION_PATH}#${token}`;
    const mailed = to !== undefined && (await mail(to, LINK_SUBJECT, linkText(link, expiresAt)));
    return { link, expires_at: expiresAt.toISOString(), mailed };
  };

  const sessionNamed = async (cookies: ReadonlyMap<string, string>): Promise<SessionName | undefined> => {
    const jwt = cookies.get(SESSION_COOKIE);
    return jwt === undefined ? undefined : readSession((await context.keys()).session, jwt, runtime.now());
  };

  return createApi('auth', authSchemas, context, {
    checkAuth: async ({ cookies }) => {
      const session = await sessionNamed(cookies);
      const open = session && (await sessionStore.findOpen(context, session, runtime.now()));
      if (open === undefined) return { authenticated: false };
      const { username, limited, rights } = open;
      return {
        authenticated: true,
        username,
        ...rights,
        ...(limited === true && { passkey_required: true }),
      };
    },

    login: async ({ body, from, cookies }) => {
      const taken = await logInByPassword(access, { ...body, from, browser: await knownBrowser(cookies) });
      return taken.loggedIn === undefined
        ? { message: 'Second factor required' as const, ticket: taken.ticket, options: taken.options }
        : loggedIn(taken.loggedIn);
    },
    beginPasskeyLogin: () => beginLogin(access),
    passkeyLogin: async ({ body, from }) =>
      loggedIn(await logInByPasskey(access, body.ticket, body.response, { from })),
    finishLogin: async ({ body: { ticket, response, code }, from }) => {
      const shown = response === undefined ? code !== undefined && { code } : { response };
      if (shown === false) throw secondFactorMissing();
      return loggedIn(await finishLogin(access, ticket, shown, { from }));
    },

    viewInvitation: async ({ body }) => {
      const { kind, username, expires_at } = await findInvitation(access, body.token);
      return { kind, username, expires_at: instantOf(expires_at) };
    },
    acceptInvitation: async ({ body, from }) => {
      const admin = await acceptInvitation(access, body.token, body.password);
      return loggedIn(await openSessionWithoutPasskey(access, admin, { from }));
    },
    changePassword: ({ body, session }) =>
      answered(
        'Password changed',
        changePassword(access, session, { current: body.current_password, password: body.password }),
      ),
    reauthenticate: async ({ body, session }) => {
      const { password, passkey } = body;
      if (passkey !== undefined)
        await reauthenticateByPasskey(access, session, passkey.ticket, passkey.response);
      else if (password === undefined) throw secondFactorMissing();
      else await reauthenticateByPassword(access, session, password);
      return { message: 'Confirmed' };
    },
    beginReauthentication: ({ session }) => beginReauthentication(access, session),

    listPasskeys: async ({ session: { username } }) => {
      const [passkeys, codes] = await Promise.all([
        passkeyStore.passkeysOf(access, username),
        passkeyStore.codesOf(access, username),
      ]);
      return { passkeys: passkeys.map(listedPasskey), recovery_codes: codes.length };
    },
    beginPasskey: ({ session }) => beginRegistration(access, session),
    addPasskey: async ({ body, session }) => {
      const codes = await addPasskey(access, session, body);
      return { message: 'Passkey registered', recovery_codes: codes && [...codes] };
    },
    removePasskey: ({ params, session }) =>
      answered('Passkey removed', removePasskey(access, session, params.passkeyId)),
    renewRecoveryCodes: async ({ session }) => ({ recovery_codes: [...(await renewCodes(access, session))] }),
    requirePasskeys: async ({ body, session }) => {
      await requirePasskeys(access, session, body.demanded);
      return {
        message: body.demanded ? 'Passkeys are now required for every admin' : 'Passkeys are now optional',
      };
    },

    listAdmins: async ({ session }) => {
      const [admins, invitations, guard, passkeys, codes] = await Promise.all([
        sessionStore.admins(context),
        adminStore.invitations(access, runtime.now()),
        adminStore.access(access),
        passkeyStore.all(access),
        passkeyStore.allCodes(access),
      ]);
      return {
        admins: admins.map((admin) => listedAdmin(admin, session, passkeys, codes)),
        passkeys_required: guard?.passkeys_required ?? false,
        invitations: invitations.map(listedInvitation),
      };
    },
    inviteAdmin: async ({ body, session }) =>
      madeLink(await inviteAdmin(access, session, body.username, rightsOf(body)), body.email),
    withdrawInvitation: async ({ params, session }) => {
      const username = await withdrawInvitation(access, session, params.invitationId);
      return { message: `Link for ${username} revoked` };
    },
    resetAdmin: async ({ params, body, session }) =>
      madeLink(await resetAdmin(access, session, params.username), body.email),
    changeRole: ({ params, body, session }) =>
      answered(
        `Role of ${params.username} changed`,
        changeRole(access, session, params.username, rightsOf(body)),
      ),
    removeAdmin: ({ params, session }) =>
      answered(`Admin ${params.username} removed`, removeAdmin(access, session, params.username)),
    listSessions: async ({ params, session }) => ({
      sessions: (await listSessions(access, params.username)).map((one) => listedSession(one, session)),
    }),
    endSession: ({ params, session }) =>
      answered('Session ended', endSessions(access, session, params.username, params.sessionId)),
    endOtherSessions: async ({ params, session }) => {
      const ended = await endSessions(access, session, params.username);
      return { message: ended === 1 ? 'Session ended' : `${ended} sessions ended`, ended };
    },

    listApiKeys: async () => ({ keys: (await apiKeyStore.all(access)).map(listedApiKey) }),
    createApiKey: async ({ body, session }) => {
      const { key, text } = await createApiKey(access, session, body);
      return { ...listedApiKey(key), key: text };
    },
    revokeApiKey: async ({ params, session }) => ({
      message: `Key ${await revokeApiKey(access, session, params.keyId)} revoked`,
    }),

    // Called by monitoring: without a session no other call shows whether a login would succeed. A failure ends in 500.
    getReadiness: async () => {
      await Promise.all([context.table.get(keys.format()), context.keys()]);
      return { status: 'ok' as const };
    },

    logout: async ({ cookies }) => {
      const session = await sessionNamed(cookies);
      if (session !== undefined) await sessionStore.closeSession(context, session);
      return new WithCookies({ message: 'Logged out' as const }, [
        sessionCookie('', context.publicBaseUrl, 0),
        ...clearedAdminCookieHeaders(secure),
      ]);
    },
  });
}
