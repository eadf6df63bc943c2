import * as z from 'zod/mini';

export const adminSchema = z.object({
  username: z.string(),
  /** Empty while only a link that was made for the admin lets in. */
  password_hash: z.string(),
  created_at: z.string(),
  /** Changes with whatever ends all sessions; those of admins without one end with their password hash. */
  epoch: z.optional(z.string()),
  last_login_at: z.optional(z.string()),
});
export type Admin = z.output<typeof adminSchema>;

/** What the sessions of an admin are opened with: they end when it changes. */
export const epochOf = ({ epoch, password_hash }: Admin): string => epoch ?? password_hash;

/** Where a call comes from, as far as the call itself tells. */
const originSchema = z.object({
  address: z.string(),
  /** The header `User-Agent`, cut to a length. */
  user_agent: z.string(),
  /** ISO 3166 code of the country of the address; only behind CloudFront, which tells it. */
  country: z.optional(z.string()),
  city: z.optional(z.string()),
});
export type Origin = z.output<typeof originSchema>;

export const sessionSchema = z.object({
  id: z.string(),
  username: z.string(),
  /** What admins name it by; it opens nothing. */
  reference: z.string(),
  opened_with: z.string(),
  opened_at: z.string(),
  /** Of its latest call, not more exact than some minutes. */
  used_at: z.string(),
  /** When its admin last showed a password or a passkey. */
  proved_at: z.string(),
  /** It may only register a passkey, which is demanded. */
  limited: z.optional(z.boolean()),
  ...originSchema.shape,
  /** Seconds since 1970, as DynamoDB's time to live needs them. */
  expires_at: z.number(),
});
export type Session = z.output<typeof sessionSchema>;

/** A link that lets somebody become an admin (`invite`) or choose a new password (`reset`), once. */
export const invitationSchema = z.object({
  /** Of the token in the link. */
  hash: z.string(),
  id: z.string(),
  kind: z.enum(['invite', 'reset']),
  username: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  /** Of a `reset`: the admin's epoch since. */
  epoch: z.optional(z.string()),
  /** Seconds since 1970. */
  expires_at: z.number(),
});
export type Invitation = z.output<typeof invitationSchema>;

/** One item that every change of who may log in raises, so that none of them is decided on what another has changed. */
export const accessSchema = z.object({
  version: z.int(),
  /** Whether an admin without a passkey gets in only to register one. */
  passkeys_demanded: z.optional(z.boolean()),
});
export type Access = z.output<typeof accessSchema>;

export const passkeySchema = z.object({
  /** Made by the authenticator, in base64url. */
  id: z.string(),
  username: z.string(),
  /** COSE, in base64url. */
  public_key: z.string(),
  /** Of its uses, as the authenticator counts them; those that are kept in sync stay at 0. */
  counter: z.number(),
  /** How it is reached, for the browser. */
  transports: z.array(z.string()),
  name: z.string(),
  created_at: z.string(),
  used_at: z.optional(z.string()),
});
export type Passkey = z.output<typeof passkeySchema>;

/** What a passkey must sign, once. */
export const challengeSchema = z.object({
  /** Of the ticket, which the client has. */
  hash: z.string(),
  /** `second`: the password was right. */
  kind: z.enum(['login', 'second', 'proof', 'register']),
  /** In base64url. */
  challenge: z.string(),
  /** Whose answer it must be; nobody's in particular for a log-in by a passkey alone. */
  username: z.optional(z.string()),
  /** Of the admin, when the password was shown. */
  epoch: z.optional(z.string()),
  /** Seconds since 1970. */
  expires_at: z.number(),
});
export type Challenge = z.output<typeof challengeSchema>;

/** One of the codes that stand for a lost passkey, each once. */
export const recoveryCodeSchema = z.object({ username: z.string(), hash: z.string() });
export type RecoveryCode = z.output<typeof recoveryCodeSchema>;
