import * as z from 'zod/mini';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '#shared/contract/constants';
import { publishedWith } from '#shared/contract/published';

const password = z
  .string({ error: 'Required' })
  .check(z.minLength(1, 'Required'), z.maxLength(MAX_PASSWORD_CHARACTERS));
const newPassword = z
  .string({ error: 'Required' })
  .check(
    z.minLength(MIN_PASSWORD_CHARACTERS, `At least ${MIN_PASSWORD_CHARACTERS} characters`),
    z.maxLength(MAX_PASSWORD_CHARACTERS),
  );
const newUsername = z
  .string({ error: 'Required' })
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/, 'Letters, digits and . _ @ + - only, at most 64'));
/** Of an admin that there is; its name may be older than the rule for new ones. */
const byName = z.object({ username: z.string().check(z.minLength(1), z.maxLength(100)) });
const message = z.object({ message: z.string() });
const token = z.string({ error: 'Required' }).check(z.minLength(1, 'Required'), z.maxLength(100));
const instant = z.iso.datetime();
const mailedTo = z.optional(z.email('Please enter a valid email address').check(z.maxLength(254)));

const madeLink = z.object({
  /** Opens the page on which a password is chosen. Shown this once. */
  link: z.string(),
  expires_at: instant,
  /** Whether it was sent to the address that was given. */
  mailed: z.boolean(),
});

export const authSchemas = {
  checkAuth: { answer: z.object({ authenticated: z.boolean(), username: z.optional(z.string()) }) },
  login: {
    body: z.object({
      username: z
        .string({ error: 'Required' })
        .check(z.trim(), z.minLength(1, 'Required'), z.maxLength(100))
        .register(publishedWith, { pattern: '\\S' }),
      password,
    }),
    answer: z.object({ message: z.literal('Logged in') }),
  },
  logout: { answer: z.object({ message: z.literal('Logged out') }) },
  viewInvitation: {
    body: z.object({ token }),
    answer: z.object({ kind: z.enum(['invite', 'reset']), username: z.string(), expires_at: instant }),
  },
  acceptInvitation: {
    body: z.object({ token, password: newPassword }),
    answer: z.object({ message: z.literal('Logged in') }),
  },
  changePassword: { body: z.object({ current_password: password, password: newPassword }), answer: message },
  proveAdmin: { body: z.object({ password }), answer: message },
  listAdmins: {
    answer: z.object({
      admins: z.array(
        z.object({
          username: z.string(),
          created_at: instant,
          last_login_at: z.nullable(instant),
          /** Whether the admin waits for its link to be used: nothing else lets it in. */
          reset: z.boolean(),
          own: z.boolean(),
        }),
      ),
      invitations: z.array(
        z.object({
          invitation_id: z.string(),
          kind: z.enum(['invite', 'reset']),
          username: z.string(),
          created_by: z.string(),
          created_at: instant,
          expires_at: instant,
        }),
      ),
    }),
  },
  inviteAdmin: { body: z.object({ username: newUsername, email: mailedTo }), answer: madeLink },
  withdrawInvitation: {
    params: z.object({ invitationId: z.string().check(z.minLength(1), z.maxLength(40)) }),
    answer: message,
  },
  resetAdmin: { params: byName, body: z.object({ email: mailedTo }), answer: madeLink },
  removeAdmin: { params: byName, answer: message },
  listSessions: {
    params: byName,
    answer: z.object({
      sessions: z.array(
        z.object({
          session_id: z.string(),
          /** As the browser calls itself. */
          device: z.string(),
          address: z.string(),
          /** ISO 3166 code; null where nobody tells the place of an address. */
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
    params: z.extend(byName, { sessionId: z.string().check(z.minLength(1), z.maxLength(40)) }),
    answer: message,
  },
  endOtherSessions: { params: byName, answer: z.object({ message: z.string(), ended: z.int() }) },
  getReadiness: { answer: z.object({ status: z.literal('ok') }) },
} as const;
