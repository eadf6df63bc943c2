import { createHash } from 'node:crypto';
import {
  type Admin,
  type Challenge,
  epochOf,
  type Passkey,
  type RecoveryCode,
  type Session,
} from '#functions/data/administration/admin';
import * as adminStore from '#functions/data/administration/admin-store';
import * as passkeyStore from '#functions/data/administration/passkey-store';
import * as sessionStore from '#functions/data/administration/session-store';
import type { Context } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import type { TransactionItem } from '#functions/data/table/table';
import {
  adminEntry,
  canLogIn,
  changeAccess,
  manageAccess,
  requireReauthentication,
} from '#functions/domain/administration/admin-access';
import {
  checkAttempt,
  checkPassword,
  type LoggedIn,
  type Newcomer,
  openSession,
} from '#functions/domain/administration/admins';
import { conflict, DomainError, invalid, notFound } from '#functions/domain/common/errors';
import { secretHash } from '#functions/domain/common/secret-hash';
import { errorFields } from '#functions/platform/logger';
import { MAX_PASSKEYS, RECOVERY_CODES } from '#shared/rules/constants';

export interface PasskeySite {
  readonly origin: string;
  readonly rpId: string;
}

export interface Ceremonies {
  /** @throws Error unless a verified user made it for this challenge, on this site */
  readonly verifiedRegistration: (
    site: PasskeySite,
    challenge: string,
    response: PasskeyRegistration,
  ) => Promise<Pick<Passkey, 'id' | 'public_key' | 'counter' | 'transports'> | undefined>;
  /** @returns the new counter; undefined for a wrong signature @throws Error for any other wrong answer */
  readonly verifiedAssertion: (
    site: PasskeySite,
    challenge: string,
    passkey: Passkey,
    response: PasskeyAssertion,
  ) => Promise<number | undefined>;
}

export interface PasskeyContext extends Context {
  readonly site: PasskeySite;
  readonly ceremonies: () => Promise<Ceremonies>;
}

export interface PasskeyAssertion {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | undefined;
  };
}

export interface PasskeyRegistration {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: string[] | undefined;
  };
}

const CHALLENGE_MINUTES = 5;
const CHALLENGE_MS = CHALLENGE_MINUTES * 60_000;
/** COSE: Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257] as const;

interface Asked {
  /** Only useful together with a passkey or a recovery code. */
  readonly ticket: string;
  readonly challenge: string;
}

async function ask(
  context: PasskeyContext,
  of: Pick<Challenge, 'kind' | 'username' | 'epoch'>,
): Promise<Asked> {
  const { runtime } = context;
  const [ticket, challenge] = [runtime.newToken(), runtime.newToken()];
  const expiresAt = new Date(runtime.now().getTime() + CHALLENGE_MS);
  const asked = { ...of, hash: secretHash(ticket), challenge, expires_at: epochSeconds(expiresAt) };
  await passkeyStore.challenge(context, asked);
  return { ticket, challenge };
}

/** Not status 401 for admins who are logged in, because that would log them out. */
const challengeOver = (kind: Challenge['kind']) =>
  kind === 'login' || kind === 'second'
    ? new DomainError('unauthenticated', 'challenge_over', 'This took too long. Try again.')
    : conflict('challenge_over', 'This took too long. Try again.');

async function take(context: PasskeyContext, kind: Challenge['kind'], ticket: string): Promise<Challenge> {
  const taken = await passkeyStore.takeChallenge(context, secretHash(ticket), context.runtime.now());
  if (taken?.kind !== kind) throw challengeOver(kind);
  return taken;
}

const descriptor = ({ id, transports }: Passkey) => ({ id, type: 'public-key' as const, transports });

function requestOptions({ site }: PasskeyContext, challenge: string, passkeys: readonly Passkey[] = []) {
  return {
    challenge,
    rpId: site.rpId,
    timeout: CHALLENGE_MS,
    userVerification: 'required' as const,
    allowCredentials: passkeys.map(descriptor),
  };
}

export async function beginLogin(context: PasskeyContext) {
  const { ticket, challenge } = await ask(context, { kind: 'login' });
  return { ticket, options: requestOptions(context, challenge) };
}

const wrongPasskey = () => new DomainError('unauthenticated', 'invalid_passkey', 'This passkey is not valid');

/** @throws DomainError 401 for a wrong passkey or an old challenge, 429 after five wrong ones */
export async function logInByPasskey(
  context: PasskeyContext,
  ticket: string,
  response: PasskeyAssertion,
  newcomer: Newcomer,
): Promise<LoggedIn> {
  const { challenge } = await take(context, 'login', ticket);
  const counters = [`passkey:${response.id}`.slice(0, 200), `address:${newcomer.from.address}`];
  const admin = await checkAttempt(context, counters, () => verified(context, challenge, response));
  if (admin === undefined) throw wrongPasskey();
  return openSession(context, admin, newcomer);
}

/** Logs the reason, because after a change of the domain every passkey is refused. */
const refused =
  ({ runtime }: PasskeyContext) =>
  (error: unknown) => {
    runtime.log.warn('passkey refused', errorFields(error));
    return undefined;
  };

async function verified(
  context: PasskeyContext,
  challenge: string,
  response: PasskeyAssertion,
): Promise<Admin | undefined> {
  const passkey = await passkeyStore.passkey(context, response.id);
  const owner = passkey && (await sessionStore.admin(context, passkey.username));
  if (passkey === undefined || owner === undefined || !isOf(owner, response)) return undefined;
  const { verifiedAssertion } = await context.ceremonies();
  const counter = await verifiedAssertion(context.site, challenge, passkey, response).catch(refused(context));
  if (counter === undefined) return undefined;
  return (await passkeyStore.used(context, passkey, counter, context.runtime.now())) ? owner : undefined;
}

/** https://www.w3.org/TR/webauthn-3/, 7.2, step 6: the answer must name the owner's account, if it names one. */
const isOf = (owner: Admin, { response: { userHandle } }: PasskeyAssertion): boolean =>
  userHandle === undefined || userHandleOf(owner) === userHandle;

/** Without a passkey the session can only register one, if passkeys are required. @throws DomainError those of `checkPassword` */
export async function logInByPassword(
  context: PasskeyContext,
  input: Newcomer & { readonly username: string; readonly password: string },
) {
  const admin = await checkPassword(context, input);
  const { username } = admin;
  const own = await passkeyStore.passkeysOf(context, username);
  if (own.length === 0) return { loggedIn: await openSessionWithoutPasskey(context, admin, input) };
  const { ticket, challenge } = await ask(context, { kind: 'second', username, epoch: epochOf(admin) });
  return { ticket, options: requestOptions(context, challenge, own) };
}

export async function openSessionWithoutPasskey(
  context: PasskeyContext,
  admin: Admin,
  newcomer: Newcomer,
): Promise<LoggedIn> {
  const access = await adminStore.access(context);
  return openSession(context, admin, newcomer, access?.passkeys_required === true);
}

/** @throws DomainError 401 for a wrong passkey or code, or an old challenge; 429 after five wrong ones */
export async function finishLogin(
  context: PasskeyContext,
  ticket: string,
  shown: { readonly response: PasskeyAssertion } | { readonly code: string },
  newcomer: Newcomer,
): Promise<LoggedIn> {
  const pending = await passkeyStore.findChallenge(context, secretHash(ticket), context.runtime.now());
  const { username } = pending ?? {};
  if (pending?.kind !== 'second' || username === undefined) throw challengeOver('second');
  const counters = [`second:${username}`, `address:${newcomer.from.address}`];
  const admin = await checkAttempt(context, counters, async () => {
    if ('code' in shown)
      return (await codeUsed(context, pending, username, shown.code))
        ? sessionStore.admin(context, username)
        : undefined;
    const { challenge } = await take(context, 'second', ticket);
    const owner = await verified(context, challenge, shown.response);
    return owner?.username === username ? owner : undefined;
  });
  if (admin === undefined || epochOf(admin) !== pending.epoch)
    throw 'code' in shown
      ? new DomainError('unauthenticated', 'invalid_code', 'This code is not valid')
      : wrongPasskey();
  return openSession(context, admin, newcomer);
}

async function codeUsed(
  context: PasskeyContext,
  challenge: Challenge,
  username: string,
  code: string,
): Promise<boolean> {
  const written = await context.table.transact([
    passkeyStore.codeUsed({ username, hash: secretHash(readCode(code)) }),
    passkeyStore.challengeEnded(challenge),
    adminEntry(context, username, 'recovery_code_used', username),
  ]);
  return written.ok;
}

export async function beginReauthentication(context: PasskeyContext, { username }: Session) {
  const own = await passkeyStore.passkeysOf(context, username);
  if (own.length === 0) throw noPasskey();
  const { ticket, challenge } = await ask(context, { kind: 'reauthentication', username });
  return { ticket, options: requestOptions(context, challenge, own) };
}

const noPasskey = () => conflict('no_passkey', 'You have no passkey');

/** @throws DomainError 400 for a wrong passkey, 409 for an old challenge, 429 after five wrong ones */
export async function reauthenticateByPasskey(
  context: PasskeyContext,
  session: Session,
  ticket: string,
  response: PasskeyAssertion,
): Promise<void> {
  const { challenge, username } = await take(context, 'reauthentication', ticket);
  const right = await checkAttempt(context, [`proof:${session.username}`], async () => {
    const owner = await verified(context, challenge, response);
    return (owner?.username === session.username && username === session.username) || undefined;
  });
  if (right === undefined) throw invalid('wrong_passkey', 'This is not your passkey');
  await context.table.transact([
    sessionStore.sessionKept(session, session.opened_with, context.runtime.now()),
  ]);
}

/** The same for all passkeys of an admin. It does not disclose the name. */
const userHandleOf = ({ username, created_at }: Admin) =>
  createHash('sha256').update(`${username}\n${created_at}`).digest('base64url');

/** @throws DomainError 403 without reauthentication, 409 if the admin has the maximum of passkeys */
export async function beginRegistration(context: PasskeyContext, session: Session) {
  requireReauthentication(context, session);
  const { username } = session;
  const [admin, own] = await Promise.all([
    sessionStore.admin(context, username),
    passkeyStore.passkeysOf(context, username),
  ]);
  if (admin === undefined) throw notFound('Admin');
  requireFreeSlot(own);
  const { ticket, challenge } = await ask(context, { kind: 'register', username });
  return {
    ticket,
    options: {
      rp: { id: context.site.rpId, name: 'Lead Distribution' },
      user: { id: userHandleOf(admin), name: username, displayName: username },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: CHALLENGE_MS,
      excludeCredentials: own.map(descriptor),
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true,
        userVerification: 'required' as const,
      },
      attestation: 'none' as const,
    },
  };
}

function requireFreeSlot(own: readonly Passkey[]): void {
  if (own.length >= MAX_PASSKEYS)
    throw conflict('too_many_passkeys', 'You already have ten passkeys. Remove one first.');
}

/** @returns recovery codes with the first passkey, else null @throws DomainError 400 for an invalid one, 409 for an old challenge */
export async function addPasskey(
  context: PasskeyContext,
  session: Session,
  input: { readonly ticket: string; readonly name: string; readonly response: PasskeyRegistration },
): Promise<readonly string[] | null> {
  const { username } = session;
  const taken = await take(context, 'register', input.ticket);
  if (taken.username !== username) throw challengeOver('register');
  const { verifiedRegistration } = await context.ceremonies();
  const made = await verifiedRegistration(context.site, taken.challenge, input.response).catch(
    refused(context),
  );
  if (made === undefined) throw invalid('invalid_passkey', 'This passkey could not be registered');
  const passkey = { ...made, username, name: input.name, created_at: context.runtime.now().toISOString() };
  return changeAccess(context, session, async () => {
    const [own, codes] = await Promise.all([
      passkeyStore.passkeysOf(context, username),
      passkeyStore.codesOf(context, username),
    ]);
    requireFreeSlot(own);
    const fresh = codes.length === 0 ? newCodes(context, username) : undefined;
    const writes = [
      passkeyStore.added(passkey),
      ...(fresh?.writes ?? []),
      ...(session.limited === true ? [sessionStore.limitLifted(session)] : []),
      adminEntry(context, username, 'passkey_added', username, { after: { name: passkey.name } }),
    ];
    return { writes, answer: fresh?.codes ?? null };
  });
}

/** @throws DomainError 403 without reauthentication, 404, 409 for the last one if passkeys are required */
export async function removePasskey(context: PasskeyContext, session: Session, id: string): Promise<void> {
  requireReauthentication(context, session);
  const { username } = session;
  await changeAccess(context, session, async (_admins, access) => {
    const own = await passkeyStore.passkeysOf(context, username);
    const passkey = own.find((one) => one.id === id);
    if (passkey === undefined) throw notFound('Passkey');
    const isLast = own.length === 1;
    if (isLast && access?.passkeys_required === true)
      throw conflict('last_passkey', 'Passkeys are required. Register another one first.');
    const codes = isLast ? await passkeyStore.codesOf(context, username) : [];
    const writes = [
      passkeyStore.removed(passkey),
      ...codes.map((code) => passkeyStore.codeUsed(code)),
      adminEntry(context, username, 'passkey_removed', username, { before: { name: passkey.name } }),
    ];
    return { writes, answer: undefined };
  });
}

/** Ends the old codes. @throws DomainError 403 without reauthentication, 409 without a passkey */
export async function renewCodes(context: PasskeyContext, session: Session): Promise<readonly string[]> {
  requireReauthentication(context, session);
  const { username } = session;
  return changeAccess(context, session, async () => {
    const [own, old] = await Promise.all([
      passkeyStore.passkeysOf(context, username),
      passkeyStore.codesOf(context, username),
    ]);
    if (own.length === 0) throw noPasskey();
    const fresh = newCodes(context, username);
    const writes = [
      ...old.map((code) => passkeyStore.codeUsed(code)),
      ...fresh.writes,
      adminEntry(context, username, 'recovery_codes_renewed', username),
    ];
    return { writes, answer: fresh.codes };
  });
}

/** Admins without a passkey are logged out. @throws DomainError 403 without reauthentication, 409 without passkey and codes */
export async function requirePasskeys(
  context: PasskeyContext,
  session: Session,
  demanded: boolean,
): Promise<void> {
  requireReauthentication(context, session);
  const { username } = session;
  await manageAccess(context, session, async (admins, access) => {
    const [all, codes] = await Promise.all([
      passkeyStore.all(context),
      passkeyStore.codesOf(context, username),
    ]);
    const having = new Set(all.map((passkey) => passkey.username));
    if (demanded && (!having.has(username) || codes.length === 0))
      throw conflict('passkey_needed', 'Register a passkey and save recovery codes first.');
    if ((access?.passkeys_required ?? false) === demanded) return { writes: [], answer: undefined };
    // Admins who were reset are left out: they have no session, and ending sessions would invalidate their reset link.
    const without = demanded ? admins.filter((admin) => canLogIn(admin) && !having.has(admin.username)) : [];
    const writes: TransactionItem[] = [
      ...without.map((admin) => adminStore.sessionsEnded(admin, context.runtime.newId())),
      adminEntry(context, username, demanded ? 'passkeys_required' : 'passkeys_made_optional', username),
    ];
    return { writes, answer: undefined, access: { passkeys_required: demanded } };
  });
}

/** 120 random bits in letters and digits that are hard to confuse: `ABCD-EFGH-…`, six groups. */
const CODE_BYTES = 15;
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function newCodes(context: PasskeyContext, username: string) {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const bytes = Buffer.from(context.runtime.newToken(), 'base64url').subarray(0, CODE_BYTES);
    return writeCode(bytes);
  });
  const stored: RecoveryCode[] = codes.map((code) => ({ username, hash: secretHash(readCode(code)) }));
  return { codes, writes: stored.map((code) => passkeyStore.codeMade(code)) };
}

function writeCode(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const characters = (bits.match(/.{5}/g) ?? []).map((five) => CODE_ALPHABET[Number.parseInt(five, 2)]);
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
}

/** Accepts typed codes: any case, with or without hyphens, O for 0, I and L for 1. */
const readCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
