import { SECRET_AGAIN_TEXT } from '#shared/rules/destinations';

export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'too_many';

export class DomainError extends Error {
  readonly kind: ErrorKind;
  /** Stable, snake case; clients may depend on it. */
  readonly code: string;
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** Seconds, for `too_many`. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    details: { fields?: Readonly<Record<string, string>>; retryAfter?: number } = {},
  ) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.code = code;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
  }
}

export const invalid = (code: string, message: string, fields?: Readonly<Record<string, string>>) =>
  new DomainError('invalid', code, message, fields === undefined ? {} : { fields });
export const secretsRequired = (names: readonly string[]) =>
  invalid(
    'secret_required',
    'The destination has changed. Enter its password or key again.',
    Object.fromEntries(names.map((name) => [name, SECRET_AGAIN_TEXT])),
  );
export const notFound = (what: string) =>
  new DomainError('not_found', `${what.toLowerCase().replaceAll(' ', '_')}_not_found`, `${what} not found`);
export const conflict = (code: string, message: string) => new DomainError('conflict', code, message);
export const notPending = () => conflict('lead_not_pending', 'This lead is no longer pending');
export const linkMismatch = () => forbidden('token_mismatch', 'Lead, order and buyer do not match this link');
export const listedTwice = (buyerId: string) =>
  invalid('buyer_named_twice', `Buyer ${buyerId} is listed twice`);
export const orderFollowed = () => conflict('order_followed', 'Another order already follows this one');
export const personErased = () => conflict('person_erased', 'The person of this lead was erased');
export const unknownCursor = () =>
  invalid('invalid_cursor', 'This page of the list does not exist', { cursor: 'Unknown' });
export const tooManyAttempts = (message: string, waitMs: number, code = 'too_many_attempts') =>
  new DomainError('too_many', code, message, {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
  });
export const forbidden = (code: string, message: string) => new DomainError('forbidden', code, message);
