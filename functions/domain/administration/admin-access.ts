import {
  type Access,
  type Admin,
  epochOf,
  type Invitation,
  rightsOf,
  type Session,
} from '#functions/data/administration/admin';
import * as adminStore from '#functions/data/administration/admin-store';
import * as passkeyStore from '#functions/data/administration/passkey-store';
import * as sessionStore from '#functions/data/administration/session-store';
import type { Context } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import type { TransactionItem } from '#functions/data/table/table';
import { checkAttempt, hashPassword, passwordMatches } from '#functions/domain/administration/admins';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict, DomainError, forbidden, invalid, notFound } from '#functions/domain/common/errors';
import { changedMeanwhile, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { secretHash } from '#functions/domain/common/secret-hash';
import { CONFLICT } from '#functions/platform/retry';
import type { Rights } from '#shared/contract/roles';

const INVITATION_HOURS = 72;
/** Few enough to end all of them in one transaction. */
const MAX_INVITATIONS = 30;
/** How long a password or passkey entry authorises dangerous actions. */
const REAUTHENTICATION_MINUTES = 10;
/** The audit trail uses these names for actors that are not admins. */
const RESERVED_NAMES = ['link', 'system'];
const MAX_WRITES = 90;

/** @throws DomainError 403 `reauthentication_required` without a recent login or confirmation */
export function requireReauthentication(
  { runtime }: Pick<Context, 'runtime'>,
  { reauthenticated_at }: Session,
): void {
  const age = runtime.now().getTime() - new Date(reauthenticated_at).getTime();
  if (age > REAUTHENTICATION_MINUTES * 60_000)
    throw forbidden('reauthentication_required', 'Confirm your identity.');
}

interface Decided<T> {
  readonly writes: readonly TransactionItem[];
  readonly answer: T;
  readonly access?: Partial<Access>;
}

/**
 * Every change of access increments the same version, so that two admins cannot remove each other at the same time.
 * @throws DomainError 401 if the actor has lost access
 */
export function changeAccess<T>(
  context: Context,
  actor: Session | undefined,
  decide: (admins: readonly Admin[], access: Access | undefined) => Promise<Decided<T>>,
): Promise<T> {
  return retryOnConflict(context.runtime, async () => {
    const access = await adminStore.access(context);
    const admins = await sessionStore.admins(context);
    if (actor !== undefined) requireStillAdmin(admins, actor);
    const { writes, answer, access: change } = await decide(admins, access);
    const written = await context.table.transact([...writes, adminStore.accessChanged(access, change)]);
    return written.ok ? answer : CONFLICT;
  });
}

function requireStillAdmin(admins: readonly Admin[], { username, opened_with }: Session): void {
  const own = admins.find((admin) => admin.username === username);
  if (own === undefined || epochOf(own) !== opened_with)
    throw new DomainError('unauthenticated', 'not_logged_in', 'Please log in');
}

/**
 * Like `changeAccess`, for admins with the role `admin`, which the actor may have lost since its call began.
 * @throws DomainError 401, 403 `role_required`
 */
export function manageAccess<T>(
  context: Context,
  actor: Session | undefined,
  decide: (admins: readonly Admin[], access: Access | undefined) => Promise<Decided<T>>,
): Promise<T> {
  return changeAccess(context, actor, (admins, access) => {
    const own = admins.find(({ username }) => username === actor?.username);
    if (own !== undefined && rightsOf(own).role !== 'admin')
      throw forbidden('role_required', 'You no longer have the role admin.');
    return decide(admins, access);
  });
}

/** False until its invitation is accepted. */
export const canLogIn = ({ password_hash }: Admin) => password_hash !== '';

export const adminEntry = (
  context: Context,
  who: string,
  action: string,
  username: string,
  changes: { readonly before?: object; readonly after?: object } = {},
) => auditEntry(context, { who, action, entity: 'admin', entityId: username, ...changes });

export interface MadeLink {
  /** Only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

function newInvitation(
  context: Context,
  of: Omit<Invitation, 'hash' | 'id' | 'created_at' | 'expires_at'>,
): { readonly invitation: Invitation; readonly link: MadeLink } {
  const now = context.runtime.now();
  const token = context.runtime.newToken();
  const expiresAt = new Date(now.getTime() + INVITATION_HOURS * 3_600_000);
  const invitation = {
    ...of,
    hash: secretHash(token),
    id: context.runtime.newId(),
    created_at: now.toISOString(),
    expires_at: epochSeconds(expiresAt),
  };
  return { invitation, link: { token, expiresAt } };
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const isTaken = (admins: readonly Admin[], name: string) =>
  admins.some(({ username }) => sameName(username, name));

/** @throws DomainError 403 without reauthentication, 409 for an existing admin or too many open links, 400 for a reserved name */
export async function inviteAdmin(
  context: Context,
  actor: Session,
  username: string,
  rights: Rights = rightsOf({}),
): Promise<MadeLink> {
  requireReauthentication(context, actor);
  if (RESERVED_NAMES.some((name) => sameName(name, username)))
    throw invalid('name_reserved', 'Choose another name', { username: 'Choose another name' });
  return manageAccess(context, actor, async (admins) => {
    if (isTaken(admins, username)) throw conflict('admin_exists', `Admin ${username} already exists`);
    const open = await adminStore.invitations(context, context.runtime.now());
    const earlier = open.filter((one) => sameName(one.username, username));
    if (open.length - earlier.length >= MAX_INVITATIONS)
      throw conflict('too_many_invitations', 'Too many open links. Withdraw one first.');
    const { username: who } = actor;
    const { invitation, link } = newInvitation(context, {
      kind: 'invite',
      username,
      created_by: who,
      ...rights,
    });
    const writes = [
      ...earlier.map(adminStore.invitationEnded),
      adminStore.invited(invitation),
      adminEntry(context, who, 'invited', username, { after: rights }),
    ];
    return { writes, answer: link };
  });
}

/** @throws DomainError 404 if it was used, withdrawn or has expired */
export async function withdrawInvitation(context: Context, actor: Session, id: string): Promise<string> {
  return manageAccess(context, actor, async () => {
    const open = await adminStore.invitations(context, context.runtime.now());
    const found = open.find((one) => one.id === id);
    if (found === undefined) throw notFound('Invitation');
    const writes = [
      adminStore.invitationEnded(found),
      adminEntry(context, actor.username, 'invitation_withdrawn', found.username),
    ];
    return { writes, answer: found.username };
  });
}

function requireAdmin(admins: readonly Admin[], username: string): Admin {
  const found = admins.find((admin) => admin.username === username);
  if (found === undefined) throw notFound('Admin');
  return found;
}

async function endedWith(context: Context, { username }: Admin): Promise<TransactionItem[]> {
  const [open, passkeys, codes] = await Promise.all([
    adminStore.invitations(context, context.runtime.now()),
    passkeyStore.passkeysOf(context, username),
    passkeyStore.codesOf(context, username),
  ]);
  return [
    ...open
      .filter((one) => one.created_by === username || sameName(one.username, username))
      .map(adminStore.invitationEnded),
    ...passkeys.map((passkey) => passkeyStore.removed(passkey)),
    ...codes.map((code) => passkeyStore.codeUsed(code)),
  ];
}

async function resetWith(
  context: Context,
  who: string,
  admin: Admin,
  hash: string,
  epoch: string,
): Promise<TransactionItem[]> {
  return [
    adminStore.passwordChanged(admin, hash, epoch),
    ...(await endedWith(context, admin)),
    adminEntry(context, who, 'access_reset', admin.username),
  ];
}

/** Ends all access of an admin and creates a link for a new password. @throws DomainError 403, 404, 409 for oneself */
export async function resetAdmin(context: Context, actor: Session, username: string): Promise<MadeLink> {
  requireReauthentication(context, actor);
  return manageAccess(context, actor, async (admins) => {
    const admin = requireAdmin(admins, username);
    if (username === actor.username)
      throw conflict('own_access', 'You cannot reset yourself. Change your password instead.');
    const { username: who } = actor;
    const epoch = context.runtime.newId();
    const { invitation, link } = newInvitation(context, { kind: 'reset', username, created_by: who, epoch });
    const writes = [...(await resetWith(context, who, admin, '', epoch)), adminStore.invited(invitation)];
    return { writes, answer: link };
  });
}

export async function addByCommand(context: Context, username: string, password: string): Promise<boolean> {
  const password_hash = await hashPassword(context.runtime, password);
  return changeAccess(context, undefined, async (admins) => {
    if (isTaken(admins, username)) return { writes: [], answer: false };
    const created_at = context.runtime.now().toISOString();
    const writes = [
      adminStore.created({ username, password_hash, created_at, epoch: context.runtime.newId() }),
      adminEntry(context, 'system', 'added', username),
    ];
    return { writes, answer: true };
  });
}

export async function resetPassword(context: Context, username: string, password: string): Promise<boolean> {
  const hash = await hashPassword(context.runtime, password);
  return changeAccess(context, undefined, async (admins) => {
    const admin = admins.find((one) => one.username === username);
    if (admin === undefined) return { writes: [], answer: false };
    return { writes: await resetWith(context, 'system', admin, hash, context.runtime.newId()), answer: true };
  });
}

function requireAnother(admins: readonly Admin[], than: string): void {
  const isOther = (one: Admin) => one.username !== than && canLogIn(one) && rightsOf(one).role === 'admin';
  if (!admins.some(isOther))
    throw conflict(
      'last_admin',
      'This is the last admin with all rights. Give another admin the role admin first.',
    );
}

/** Applies from the next call of every open session. @throws DomainError 403, 404, 409 for the last `admin` who can log in */
export async function changeRole(
  context: Context,
  actor: Session,
  username: string,
  rights: Rights,
): Promise<void> {
  requireReauthentication(context, actor);
  await manageAccess(context, actor, async (admins) => {
    const admin = requireAdmin(admins, username);
    if (rights.role !== 'admin') requireAnother(admins, username);
    const open = await adminStore.invitations(context, context.runtime.now());
    const writes = [
      adminStore.roleChanged(admin, rights),
      // Who knows such a link could otherwise take the rights back with it.
      ...(rights.role === 'admin' ? [] : open.filter((one) => one.created_by === username)).map(
        adminStore.invitationEnded,
      ),
      adminEntry(context, actor.username, 'role_changed', username, {
        before: rightsOf(admin),
        after: rightsOf(rights),
      }),
    ];
    return { writes, answer: undefined };
  });
}

/** @throws DomainError 403 without reauthentication, 404, 409 for the last `admin` who can log in */
export async function removeAdmin(
  context: Context,
  actor: Session | undefined,
  username: string,
): Promise<void> {
  if (actor !== undefined) requireReauthentication(context, actor);
  await manageAccess(context, actor, async (admins) => {
    const admin = requireAdmin(admins, username);
    requireAnother(admins, username);
    const writes = [
      adminStore.removed(admin),
      ...(await endedWith(context, admin)),
      adminEntry(context, actor?.username ?? 'system', 'removed', username),
    ];
    return { writes, answer: undefined };
  });
}

const invitationNotFound = () =>
  new DomainError(
    'not_found',
    'invitation_not_found',
    'This link is no longer valid. Ask an admin for a new one.',
  );

/** @throws DomainError 404 if it was used, withdrawn or has expired */
export async function findInvitation(context: Context, token: string): Promise<Invitation> {
  const found = await adminStore.invitation(context, secretHash(token), context.runtime.now());
  if (found === undefined) throw invitationNotFound();
  return found;
}

/** Uses a link, once, and sets the password. @throws DomainError 404 if it was used, withdrawn or has expired */
export async function acceptInvitation(context: Context, token: string, password: string): Promise<Admin> {
  const hash = await hashPassword(context.runtime, password);
  return changeAccess(context, undefined, async (admins) => {
    const invitation = await findInvitation(context, token);
    const { username, kind } = invitation;
    const { write, admin } = acceptance(context, invitation, admins, hash);
    const writes = [
      adminStore.invitationEnded(invitation),
      write,
      adminEntry(context, username, kind === 'invite' ? 'joined' : 'password_chosen', username),
    ];
    return { writes, answer: admin };
  });
}

function acceptance(
  context: Context,
  invitation: Invitation,
  admins: readonly Admin[],
  hash: string,
): { readonly write: TransactionItem; readonly admin: Admin } {
  const { kind, username, epoch: expectedEpoch } = invitation;
  const changed = { password_hash: hash, epoch: context.runtime.newId() };
  switch (kind) {
    case 'invite': {
      if (isTaken(admins, username)) throw invitationNotFound();
      const created_at = context.runtime.now().toISOString();
      const admin = { username, created_at, ...rightsOf(invitation), ...changed };
      return { write: adminStore.created(admin), admin };
    }
    case 'reset': {
      const before = admins.find((admin) => admin.username === username);
      if (before === undefined || before.epoch !== expectedEpoch) throw invitationNotFound();
      return {
        write: adminStore.passwordChanged(before, changed.password_hash, changed.epoch),
        admin: { ...before, ...changed },
      };
    }
  }
}

/** Ends all other sessions. @throws DomainError 400 for a wrong current password, 429 after five wrong ones */
export async function changePassword(
  context: Context,
  actor: Session,
  change: { readonly current: string; readonly password: string },
): Promise<void> {
  const admin = await requireOwnPassword(context, actor, change.current, 'current_password');
  const hash = await hashPassword(context.runtime, change.password);
  const epoch = context.runtime.newId();
  const written = await context.table.transact([
    adminStore.passwordChanged(admin, hash, epoch),
    sessionStore.sessionKept(actor, epoch, context.runtime.now()),
    adminEntry(context, actor.username, 'password_changed', actor.username),
  ]);
  if (!written.ok) throw changedMeanwhile();
}

/** @throws DomainError 400 for a wrong password, 429 after five wrong ones */
export async function reauthenticateByPassword(
  context: Context,
  actor: Session,
  password: string,
): Promise<void> {
  const admin = await requireOwnPassword(context, actor, password, 'password');
  await context.table.transact([sessionStore.sessionKept(actor, epochOf(admin), context.runtime.now())]);
}

async function requireOwnPassword(
  context: Context,
  { username, opened_with }: Session,
  password: string,
  field: 'password' | 'current_password',
): Promise<Admin> {
  const admin = await checkAttempt(context, [`proof:${username}`], async () => {
    const own = await sessionStore.admin(context, username);
    return own !== undefined && (await passwordMatches(context.runtime, password, own.password_hash))
      ? own
      : undefined;
  });
  if (admin === undefined) throw invalid('wrong_password', 'Wrong password', { [field]: 'Wrong' });
  if (epochOf(admin) !== opened_with) throw changedMeanwhile();
  return admin;
}

/** Most recently used first. @throws DomainError 404 */
export async function listSessions(context: Context, username: string): Promise<Session[]> {
  const [admin, sessions] = await Promise.all([
    sessionStore.admin(context, username),
    sessionStore.sessionsOf(context, username, context.runtime.now()),
  ]);
  if (admin === undefined) throw notFound('Admin');
  return sessions
    .filter(({ opened_with }) => opened_with === epochOf(admin))
    .sort((one, other) => other.used_at.localeCompare(one.used_at));
}

export async function endSessions(
  context: Context,
  actor: Session,
  username: string,
  reference?: string,
): Promise<number> {
  const open = await listSessions(context, username);
  const ended =
    reference === undefined
      ? open.filter(({ id }) => id !== actor.id)
      : open.filter((session) => session.reference === reference);
  if (reference !== undefined && ended.length === 0) throw notFound('Session');
  for (let start = 0; start < ended.length; start += MAX_WRITES) {
    const some = ended.slice(start, start + MAX_WRITES);
    const written = await context.table.transact([
      ...some.map((session) => sessionStore.sessionClosed(session)),
      adminEntry(context, actor.username, 'sessions_ended', username, { after: { sessions: some.length } }),
    ]);
    if (!written.ok) throw changedMeanwhile();
  }
  return ended.length;
}
