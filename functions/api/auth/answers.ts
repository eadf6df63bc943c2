import {
  type Admin,
  type ApiKey,
  type Invitation,
  type Passkey,
  type RecoveryCode,
  rightsOf,
  type Session,
} from '#functions/data/administration/admin';
import { deviceOf } from '#functions/domain/administration/device';
import type { Answer } from '#shared/contract/schemas';
import { formatDateTime } from '#shared/rules/formats';

type Caller = Pick<Session, 'id' | 'username'>;

export function listedAdmin(
  admin: Admin,
  caller: Caller,
  passkeys: readonly Passkey[],
  codes: readonly RecoveryCode[],
): Answer<'listAdmins'>['admins'][number] {
  const { username, created_at, last_login_at = null, password_hash } = admin;
  return {
    username,
    created_at,
    last_login_at,
    reset: password_hash === '',
    passkeys: passkeys.filter((one) => one.username === username).length,
    recovery_codes: codes.filter((one) => one.username === username).length,
    own: username === caller.username,
    ...rightsOf(admin),
  };
}

export const listedPasskey = (passkey: Passkey): Answer<'listPasskeys'>['passkeys'][number] => ({
  passkey_id: passkey.id,
  name: passkey.name,
  created_at: passkey.created_at,
  used_at: passkey.used_at ?? null,
});

export const instantOf = (epochSeconds: number) => new Date(epochSeconds * 1000).toISOString();

export const listedInvitation = (invitation: Invitation): Answer<'listAdmins'>['invitations'][number] => ({
  invitation_id: invitation.id,
  kind: invitation.kind,
  ...rightsOf(invitation),
  username: invitation.username,
  created_by: invitation.created_by,
  created_at: invitation.created_at,
  expires_at: instantOf(invitation.expires_at),
});

export const listedApiKey = (key: ApiKey): Answer<'listApiKeys'>['keys'][number] => ({
  key_id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes,
  created_by: key.created_by,
  created_at: key.created_at,
  last_used_at: key.used_at ?? null,
});

export function listedSession(
  { id, reference, user_agent, address, country, city, opened_at, used_at, expires_at }: Session,
  caller: Caller,
): Answer<'listSessions'>['sessions'][number] {
  return {
    session_id: reference,
    device: deviceOf(user_agent),
    address,
    country: country ?? null,
    city: city === undefined || city === '' ? null : city,
    opened_at,
    used_at,
    expires_at: instantOf(expires_at),
    own: id === caller.id,
  };
}

export const LINK_SUBJECT = 'Your access to the lead distribution';

export const linkText = (link: string, expiresAt: Date) =>
  `Choose your password with this link. It works once, until ${formatDateTime(expiresAt)} (Berlin time):\n\n${link}\n\nAnyone who has the link can use it, so do not share it. If you did not expect this e-mail, ignore it.\n`;
