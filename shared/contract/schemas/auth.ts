import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedWith } from '#shared/contract/published';
import { ROLES } from '#shared/contract/roles';
import { apiKeySchemas } from '#shared/contract/schemas/api-keys';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';
import { INVALID } from '#shared/rules/invalid-texts';
import { USERNAME_PATTERN } from '#shared/rules/validation';

const password = z
  .string({ error: 'Required' })
  .check(z.minLength(1, 'Required'), z.maxLength(MAX_PASSWORD_CHARACTERS));
const newPassword = z
  .string({ error: 'Required' })
  .check(
    z.minLength(MIN_PASSWORD_CHARACTERS, `At least ${MIN_PASSWORD_CHARACTERS} characters`),
    z.maxLength(MAX_PASSWORD_CHARACTERS),
  );
export const newUsername = z.string({ error: 'Required' }).check(z.regex(USERNAME_PATTERN, INVALID.username));
/** Of an existing admin, whose name may be older than the rule for new ones. */
const byName = z.object({ username: z.string().check(z.minLength(1), z.maxLength(100)) });
const message = z.object({ message: z.string() });
const token = z.string({ error: 'Required' }).check(z.minLength(1, 'Required'), z.maxLength(100));
const instant = z.iso.datetime();
const role = z.enum(ROLES);
/** The right is granted to a `viewer`; the other roles always have it. */
const rights = { role, exports_personal_data: z.boolean() };
const mailedTo = z.optional(field.email);

const madeLink = z.object({
  /** Shown once. */
  link: z.string(),
  expires_at: instant,
  mailed: z.boolean(),
});

const loggedIn = z.object({
  message: z.literal('Logged in'),
  /** The session may only register a passkey. */
  passkey_required: z.optional(z.boolean()),
});

const encoded = z.string().check(z.minLength(1), z.maxLength(8000), z.regex(/^[\w-]+$/, 'Not base64url'));
const assertion = z.object({
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: z.optional(encoded),
  }),
});
const passkeyShown = z.object({ ticket: token, response: assertion });
const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});
const passkeyRequested = z.object({
  ticket: z.string(),
  options: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    allowCredentials: z.array(descriptor),
  }),
});

const wrongPassword = { wrong_password: 'this is not the caller’s password' };

export const authSchemas = {
  checkAuth: {
    summary: 'Read the current session',

    answer: z.object({
      authenticated: z.boolean(),
      username: z.optional(z.string()),
      role: z.optional(role),
      exports_personal_data: z.optional(z.boolean()),
      passkey_required: z.optional(z.boolean()),
    }),
  },
  login: {
    summary: 'Open a session',

    body: z.object({
      username: z
        .string({ error: 'Required' })
        .check(z.trim(), z.minLength(1, 'Required'), z.maxLength(100))
        .register(publishedWith, { pattern: '\\S' }),
      password,
    }),
    answer: z.union([
      loggedIn,
      z.object({ message: z.literal('Second factor required'), ...passkeyRequested.shape }),
    ]),
  },
  beginPasskeyLogin: {
    summary: 'Get the challenge for a passkey log-in',
    answer: passkeyRequested,
  },
  passkeyLogin: {
    summary: 'Open a session with a passkey only',
    body: passkeyShown,
    answer: loggedIn,
  },
  finishLogin: {
    summary: 'Open a session with a passkey or recovery code after the password',
    refusals: { invalid_input: 'neither a passkey nor a code was sent' },

    body: z.object({ ticket: token, response: z.optional(assertion), code: z.optional(token) }),
    answer: loggedIn,
  },
  logout: {
    summary: 'End the session',
    answer: z.object({ message: z.literal('Logged out') }),
  },
  viewInvitation: {
    summary: 'Read who an invitation or reset link is for',

    body: z.object({ token }),
    answer: z.object({ kind: z.enum(['invite', 'reset']), username: z.string(), expires_at: instant }),
  },
  acceptInvitation: {
    summary: 'Choose a password with a single-use link and open a session',

    body: z.object({ token, password: newPassword }),
    answer: loggedIn,
  },
  changePassword: {
    summary: 'Change your password and end your other sessions',
    refusals: wrongPassword,
    body: z.object({ current_password: password, password: newPassword }),
    answer: message,
  },
  reauthenticate: {
    summary: 'Reauthenticate before a sensitive change',
    refusals: {
      ...wrongPassword,
      wrong_passkey: 'this is not the caller’s passkey',
      invalid_input: 'neither a password nor a passkey was sent',
    },

    body: z.object({
      password: z.optional(password),
      passkey: z.optional(passkeyShown),
    }),
    answer: message,
  },
  beginReauthentication: {
    summary: 'Get the challenge for reauthentication by passkey',
    answer: passkeyRequested,
  },
  listPasskeys: {
    summary: 'List your passkeys and the number of unused recovery codes',

    answer: z.object({
      passkeys: z.array(
        z.object({
          passkey_id: z.string(),
          name: z.string(),
          created_at: instant,
          used_at: z.nullable(instant),
        }),
      ),
      recovery_codes: z.int(),
    }),
  },
  beginPasskey: {
    summary: 'Get the challenge for a new passkey',

    answer: z.object({
      ticket: z.string(),
      options: z.object({
        rp: z.object({ id: z.string(), name: z.string() }),
        user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
        challenge: z.string(),
        pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
        timeout: z.int(),
        excludeCredentials: z.array(descriptor),
        authenticatorSelection: z.object({
          residentKey: z.literal('required'),
          requireResidentKey: z.boolean(),
          userVerification: z.literal('required'),
        }),
        attestation: z.literal('none'),
      }),
    }),
  },
  addPasskey: {
    summary: 'Register a passkey; the first one returns recovery codes',
    refusals: {
      invalid_passkey: 'the passkey was not made for this challenge, on this site, by a verified user',
    },

    body: z.object({
      ticket: token,
      name: z
        .string({ error: 'Required' })
        .check(z.trim(), z.minLength(1, 'Required'), z.maxLength(60))
        .register(publishedWith, { pattern: '\\S' }),
      response: z.object({
        id: encoded,
        rawId: encoded,
        type: z.literal('public-key'),
        response: z.object({
          clientDataJSON: encoded,
          attestationObject: encoded,
          transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
        }),
      }),
    }),
    answer: z.object({ message: z.string(), recovery_codes: z.nullable(z.array(z.string())) }),
  },
  removePasskey: {
    summary: 'Remove one of your passkeys',

    params: z.object({ passkeyId: z.string().check(z.minLength(1), z.maxLength(1400)) }),
    answer: message,
  },
  renewRecoveryCodes: {
    summary: 'Create new recovery codes, shown once; the old ones stop working',
    answer: z.object({ recovery_codes: z.array(z.string()) }),
  },
  requirePasskeys: {
    summary: 'Require passkeys for every admin, or make them optional',
    body: z.object({ demanded: z.boolean() }),
    answer: message,
  },
  listAdmins: {
    summary: 'List admins and open invitations',

    answer: z.object({
      admins: z.array(
        z.object({
          username: z.string(),
          created_at: instant,
          last_login_at: z.nullable(instant),
          reset: z.boolean(),
          passkeys: z.int(),
          recovery_codes: z.int(),
          own: z.boolean(),
          ...rights,
        }),
      ),
      passkeys_required: z.boolean(),
      invitations: z.array(
        z.object({
          invitation_id: z.string(),
          kind: z.enum(['invite', 'reset']),
          username: z.string(),
          ...rights,
          created_by: z.string(),
          created_at: instant,
          expires_at: instant,
        }),
      ),
    }),
  },
  inviteAdmin: {
    summary: 'Create an admin invitation link',
    refusals: { name_reserved: 'the audit trail uses this name for something other than an admin' },
    body: z.object({ username: newUsername, email: mailedTo, ...z.partial(z.object(rights)).shape }),
    answer: madeLink,
  },
  withdrawInvitation: {
    summary: 'Withdraw an unused link',

    params: z.object({ invitationId: z.string().check(z.minLength(1), z.maxLength(40)) }),
    answer: message,
  },
  resetAdmin: {
    summary: 'Revoke another admin’s access and create a password link',
    params: byName,
    body: z.object({ email: mailedTo }),
    answer: madeLink,
  },
  changeRole: {
    summary: 'Change the role of an admin, from the next call of its sessions',
    params: byName,
    body: z.extend(z.object({ role }), { exports_personal_data: z.optional(z.boolean()) }),
    answer: message,
  },
  removeAdmin: {
    summary: 'Remove an admin and end their sessions at once',
    params: byName,
    answer: message,
  },
  listSessions: {
    summary: 'List the open sessions of an admin',

    params: byName,
    answer: z.object({
      sessions: z.array(
        z.object({
          session_id: z.string(),
          device: z.string(),
          address: z.string(),
          /** ISO 3166; null if unknown. */
          country: z.nullable(z.string()),
          city: z.nullable(z.string()),
          opened_at: instant,
          used_at: instant,
          expires_at: instant,
          own: z.boolean(),
        }),
      ),
    }),
  },
  endSession: {
    summary: 'End a session of an admin',

    params: z.extend(byName, { sessionId: z.string().check(z.minLength(1), z.maxLength(40)) }),
    answer: message,
  },
  endOtherSessions: {
    summary: 'End all sessions of an admin except the current one',
    params: byName,
    answer: z.object({ message: z.string(), ended: z.int() }),
  },
  getReadiness: {
    summary: 'Check that the API reaches its table and keys',
    answer: z.object({ status: z.literal('ok') }),
  },
  ...apiKeySchemas,
} as const;
