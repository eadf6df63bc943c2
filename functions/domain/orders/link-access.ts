/**
 * Who may open a link. A buyer may want links to expire, or to require a code by e-mail once per device. Every call by link goes
 * through `requireOpen`. See `docs/adr/0022-links.md`.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as linkCodeStore from '#functions/data/orders/link-code-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { limitAttempts } from '#functions/domain/common/attempts';
import { aboutOrder, auditEntry } from '#functions/domain/common/audit';
import { conflict, DomainError, invalid, notFound } from '#functions/domain/common/errors';
import { errorFields } from '#functions/platform/logger';

export interface LinkVisitor {
  readonly admin: boolean;
  /** For the audit trail: the admin's user name, or `link`. */
  readonly who: string;
  knows(buyer: Buyer): Promise<boolean>;
}

type Protected = Pick<Buyer, 'link_code' | 'link_days' | 'buyer_email'>;

export function isLinkExpired(order: Order, { link_days }: Pick<Buyer, 'link_days'>, now: Date): boolean {
  if (link_days === null) return false;
  const madeAt = Date.parse(order.link_made_at ?? order.created_at);
  return now.getTime() >= madeAt + link_days * 86_400_000;
}

/** @throws DomainError 404 for an expired link, as for an unknown one; 403 `link_code_required` with the masked address */
export async function requireOpen(
  order: Order,
  buyer: Buyer | undefined,
  visitor: LinkVisitor,
  now: Date,
  what: 'Link' | 'Token' = 'Link',
): Promise<Buyer> {
  if (buyer === undefined) throw notFound(what);
  if (visitor.admin) return buyer;
  if (isLinkExpired(order, buyer, now)) throw notFound(what);
  if (buyer.link_code && !(await visitor.knows(buyer))) throw codeRequired(buyer);
  return buyer;
}

const codeRequired = (buyer: Buyer) =>
  new DomainError('forbidden', 'link_code_required', 'Bitte geben Sie den Code aus unserer E-Mail ein.', {
    fields: { email: hiddenAddress(buyer) },
  });

/** `b…@…de`: shows which mailbox to check without disclosing the address. */
export function hiddenAddress({ buyer_email }: Pick<Protected, 'buyer_email'>): string {
  const [name = '', domain = ''] = buyer_email.split('@');
  return `${Array.from(name)[0] ?? ''}…@…${domain.slice(domain.lastIndexOf('.') + 1)}`;
}

const MINUTES = 60;
const HOURS = 3600;
const LIMITS = {
  request: { link: 5, address: 20, seconds: HOURS },
  attempt: { link: 5, address: 10, seconds: 15 * MINUTES },
} as const;

/** @throws DomainError `too_many` if the limit within these seconds is exceeded */
export async function countAttempt(
  context: Context,
  of: string,
  limit: number,
  seconds: number,
): Promise<void> {
  const message = 'Zu viele Versuche. Bitte versuchen Sie es später noch einmal.';
  await limitAttempts(context, of, { most: limit, seconds, message });
}

/** @throws DomainError `too_many` */
async function limited(
  context: Context,
  kind: keyof typeof LIMITS,
  { of, address }: { readonly of: string; readonly address: string },
): Promise<void> {
  const { link, address: most, seconds } = LIMITS[kind];
  // The address first: attempts beyond its limit do not count for the link.
  await countAttempt(context, `link-${kind}-address:${address}`, most, seconds);
  await countAttempt(context, `link-${kind}:${of}`, link, seconds);
}

/** @throws DomainError 404 for an unknown or expired link, 409 if it requires no code */
async function linkWithCode(context: Context, token: string): Promise<{ order: Order; buyer: Buyer }> {
  const order = await orderStore.byToken(context, token);
  const buyer = order && (await buyerStore.get(context, order.buyer));
  if (order === undefined || buyer === undefined || isLinkExpired(order, buyer, context.runtime.now()))
    throw notFound('Link');
  if (!buyer.link_code) throw conflict('no_code_needed', 'Für diesen Link ist kein Code nötig.');
  return { order, buyer };
}

/** Replaces an earlier code. @returns the masked address @throws DomainError those of `linkWithCode`, `too_many` */
export async function sendLinkCode(context: Context, token: string, address: string): Promise<string> {
  const { order, buyer } = await linkWithCode(context, token);
  const { order_id } = order;
  await limited(context, 'request', { of: String(order_id), address });
  const now = context.runtime.now();
  const request = context.runtime.newId();
  await context.table.transact([
    linkCodeStore.requested(order_id, request, now),
    notificationStore.created({ about: 'link_code', order_id, request }, now),
  ]);
  return hiddenAddress(buyer);
}

/** Derived from the request, so the code is not stored. @returns eight digits */
export function linkCode(key: Uint8Array, orderId: number, request: string): string {
  const digest = createHmac('sha256', key).update(`${orderId}:${request}`).digest();
  return String(digest.readUIntBE(0, 6) % 100_000_000).padStart(8, '0');
}

/** A code works once. @throws DomainError those of `linkWithCode`, 400 `wrong_code`, `too_many` */
export async function confirmLinkCode(
  context: Context,
  key: Uint8Array,
  { token, code, address }: { readonly token: string; readonly code: string; readonly address: string },
): Promise<Buyer> {
  const { order, buyer } = await linkWithCode(context, token);
  await limited(context, 'attempt', { of: String(order.order_id), address });
  const request = await linkCodeStore.open(context, order.order_id, context.runtime.now());
  const given = Buffer.from(code.replaceAll(/\D/g, ''));
  const expected = request === undefined ? undefined : Buffer.from(linkCode(key, order.order_id, request));
  const isRight =
    expected !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
  if (!isRight || request === undefined || !(await linkCodeStore.used(context, order.order_id, request)))
    throw invalid('wrong_code', 'Dieser Code ist falsch oder abgelaufen.', {
      code: 'Falsch oder abgelaufen',
    });
  return buyer;
}

/** Every request takes at least this long, so that its time does not disclose whether there is such a link. */
const RENEWAL_MS = 600;

/** Neither the answer nor its time discloses whether there is a link to renew. @throws DomainError `too_many` */
export async function requestNewLink(context: Context, token: string, address: string): Promise<void> {
  await limited(context, 'request', { of: `token:${token}`, address });
  await Promise.all([renewed(context, token), context.runtime.sleep(RENEWAL_MS)]);
}

async function renewed(context: Context, token: string): Promise<void> {
  const { runtime } = context;
  try {
    const order = await orderStore.byToken(context, token);
    const buyer = order && (await buyerStore.get(context, order.buyer));
    if (order === undefined || buyer === undefined || (!buyer.link_code && buyer.link_days === null)) return;
    const now = runtime.now();
    const { order_id } = order;
    // Not retried: after a conflict another request has renewed the link and sends it.
    await context.table.transact([
      ...orderStore.tokenReplaced(order, runtime.newToken(), now.toISOString()),
      notificationStore.created({ about: 'link_regenerated', order_id, request: runtime.newId() }, now),
      auditEntry(context, {
        who: 'link',
        action: 'token_renewed',
        ...aboutOrder(order_id),
        before: { link_active: true },
        after: { link_active: true },
      }),
    ]);
  } catch (error) {
    // A different answer would disclose that there is a link to renew.
    runtime.log.error('a link could not be renewed', errorFields(error));
  }
}
