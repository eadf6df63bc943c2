import * as z from 'zod/mini';
import { type Rights, ROLES } from '#shared/contract/roles';
import { SCOPES } from '#shared/contract/scopes';

/** Admins and invitations older than the roles have none, and all rights. */
const rightsShape = {
  role: z.optional(z.enum(ROLES)),
  exports_personal_data: z.optional(z.boolean()),
};

export const adminSchema = z.object({
  username: z.string(),
  password_hash: z.string(),
  created_at: z.string(),
  /** Changes when all sessions are ended. Without an epoch, changing the password ends them. */
  epoch: z.optional(z.string()),
  last_login_at: z.optional(z.string()),
  ...rightsShape,
});
export type Admin = z.output<typeof adminSchema>;

export const epochOf = ({ epoch, password_hash }: Admin): string => epoch ?? password_hash;

export function rightsOf({
  role = 'admin',
  exports_personal_data = false,
}: Pick<Admin, 'role' | 'exports_personal_data'>): Rights {
  return { role, exports_personal_data: role !== 'viewer' || exports_personal_data };
}

const originSchema = z.object({
  address: z.string(),
  user_agent: z.string(),
  /** ISO 3166 code of the address; only behind CloudFront. */
  country: z.optional(z.string()),
  city: z.optional(z.string()),
});
export type Origin = z.output<typeof originSchema>;

export const sessionSchema = z.object({
  id: z.string(),
  username: z.string(),
  reference: z.string(),
  opened_with: z.string(),
  opened_at: z.string(),
  /** Time of the latest call, accurate to a few minutes. */
  used_at: z.string(),
  reauthenticated_at: z.string(),
  limited: z.optional(z.boolean()),
  ...originSchema.shape,
  expires_at: z.number(),
});
export type Session = z.output<typeof sessionSchema>;

/** With the rights that its admin has at this call. */
export interface OpenSession extends Session {
  readonly rights: Rights;
}

/** A link that creates an admin (`invite`) or sets a new password (`reset`), once. */
export const invitationSchema = z.object({
  hash: z.string(),
  id: z.string(),
  kind: z.enum(['invite', 'reset']),
  username: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  epoch: z.optional(z.string()),
  expires_at: z.number(),
  ...rightsShape,
});
export type Invitation = z.output<typeof invitationSchema>;

/** Of an admin's own tool. `hash`: SHA-256 of the whole key, base64url. */
export const apiKeySchema = z.object({
  hash: z.string(),
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  prefix: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  /** Accurate to an hour. */
  used_at: z.optional(z.string()),
});
export type ApiKey = z.output<typeof apiKeySchema>;

/** Its version is incremented by every change of who may log in, so that concurrent changes conflict. */
export const accessSchema = z.object({
  version: z.int(),
  passkeys_required: z.optional(z.boolean()),
});
export type Access = z.output<typeof accessSchema>;

export const passkeySchema = z.object({
  id: z.string(),
  username: z.string(),
  public_key: z.string(),
  /** As counted by the authenticator; synchronised passkeys stay at 0. */
  counter: z.number(),
  transports: z.array(z.string()),
  name: z.string(),
  created_at: z.string(),
  used_at: z.optional(z.string()),
});
export type Passkey = z.output<typeof passkeySchema>;

export const challengeSchema = z.object({
  hash: z.string(),
  /** `second`: the password was correct, the passkey is missing. */
  kind: z.enum(['login', 'second', 'reauthentication', 'register']),
  challenge: z.string(),
  username: z.optional(z.string()),
  epoch: z.optional(z.string()),
  /** Seconds since 1970. */
  expires_at: z.number(),
});
export type Challenge = z.output<typeof challengeSchema>;

export const recoveryCodeSchema = z.object({ username: z.string(), hash: z.string() });
export type RecoveryCode = z.output<typeof recoveryCodeSchema>;
