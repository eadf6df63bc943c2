/**
 * E-mail notifications to buyers: their settings, changed on the buyer's page, by an admin or by the unsubscribe link, and the
 * scheduled e-mails. See `docs/adr/0050-alerts-and-buyer-e-mails.md`.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Buyer, isServed } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import { type AddressState, isClosed } from '#functions/data/deliveries/address';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as sentNotificationStore from '#functions/data/deliveries/sent-notification-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { isNearlyFull } from '#functions/data/orders/order';
import type { OrderCache } from '#functions/data/orders/order-cache';
import * as orderStore from '#functions/data/orders/order-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { aboutBuyer, editEntry } from '#functions/domain/common/audit';
import { notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import {
  countAttempt,
  hiddenAddress,
  isLinkExpired,
  type LinkVisitor,
  requireOpen,
} from '#functions/domain/orders/link-access';
import { NEARLY_FULL_PERCENT, NOTIFICATION_KINDS, type NotificationKind } from '#shared/rules/constants';
import { addDays, berlinDay, berlinHour, weekdayOf } from '#shared/rules/working-days';

export type NotificationPreferences = Readonly<Record<NotificationKind, boolean>>;

export const preferencesOf = (buyer: Buyer): NotificationPreferences => ({
  claim_decided: buyer.notify_claim_decided,
  order_nearly_full: buyer.notify_order_nearly_full,
  weekly_statement: buyer.notify_weekly_statement,
});

async function change(
  context: Context,
  who: string,
  number: number,
  wanted: { readonly [Kind in NotificationKind]?: boolean | undefined },
): Promise<Buyer> {
  return retryOnConflict(context.runtime, async () => {
    const before = await buyerStore.get(context, number);
    if (before === undefined || before.deleted_at !== null) throw notFound('Link');
    const fields: Partial<Buyer> = Object.fromEntries(
      NOTIFICATION_KINDS.flatMap((kind) =>
        wanted[kind] === undefined || wanted[kind] === preferencesOf(before)[kind]
          ? []
          : [[`notify_${kind}`, wanted[kind]]],
      ),
    );
    if (Object.keys(fields).length === 0) return before;
    const after = { ...before, ...fields };
    return committed(context, after, [
      buyerStore.changed(before, fields),
      ...editEntry(context, { who, action: 'updated', ...aboutBuyer(before), before, after }),
    ]);
  });
}

export interface PreferencesByLink {
  readonly preferences: NotificationPreferences;
  /** Masked, because anybody with the link may see it. */
  readonly email: string;
  readonly closed: AddressState | undefined;
}

async function byLink(context: AddressContext, buyer: Buyer): Promise<PreferencesByLink> {
  const state = await addressStore.addressState(context, buyer.buyer_email);
  const closed = isClosed(state) ? state : undefined;
  return { preferences: preferencesOf(buyer), email: hiddenAddress(buyer), closed };
}

async function ownerOf(context: AddressContext, visitor: LinkVisitor, token: string): Promise<Buyer> {
  const order = await orderStore.byToken(context, token);
  if (order === undefined) throw notFound('Link');
  return requireOpen(order, await buyerStore.get(context, order.buyer), visitor, context.runtime.now());
}

export async function viewNotificationPreferences(
  context: AddressContext,
  visitor: LinkVisitor,
  token: string,
): Promise<PreferencesByLink> {
  return byLink(context, await ownerOf(context, visitor, token));
}

export async function changeNotificationPreferences(
  context: AddressContext,
  visitor: LinkVisitor,
  token: string,
  wanted: { readonly [Kind in NotificationKind]?: boolean | undefined },
): Promise<PreferencesByLink> {
  const { buyer } = await ownerOf(context, visitor, token);
  return byLink(context, await change(context, visitor.who, buyer, wanted));
}

type Subscriber = Pick<Buyer, 'buyer' | 'buyer_email'>;

const signature = (key: Uint8Array, { buyer, buyer_email }: Subscriber, kind: NotificationKind) =>
  createHmac('sha256', key).update(`${buyer}\n${kind}\n${buyer_email}`).digest();

/** Its holder can switch one kind of notification for one buyer while the buyer has this address. It is signed instead of stored. */
export const unsubscribeToken = (key: Uint8Array, buyer: Subscriber, kind: NotificationKind): string =>
  `${buyer.buyer}-${kind}-${signature(key, buyer, kind).toString('base64url')}`;

/** Limits the calls with unsubscribe links from one client address. */
const MOST_PER_HOUR = 120;

/** @param on undefined only reads @throws DomainError 404 for an unsigned token or a former address, `too_many` */
export async function bySubscriptionToken(
  context: Context,
  key: Uint8Array,
  { token, address, on }: { readonly token: string; readonly address: string; readonly on?: boolean },
) {
  await countAttempt(context, `news-address:${address}`, MOST_PER_HOUR, 3600);
  // The token contains no dots, because a path with a dot would be served as a file.
  const [, number = '', name, signed = ''] = /^(\d+)-([a-z_]+)-([\w-]+)$/.exec(token) ?? [];
  const kind = NOTIFICATION_KINDS.find((one) => one === name);
  const buyer = kind === undefined ? undefined : await buyerStore.get(context, Number(number));
  if (kind === undefined || buyer === undefined || buyer.deleted_at !== null) throw notFound('Link');
  const given = Buffer.from(signed, 'base64url');
  const expected = signature(key, buyer, kind);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound('Link');
  const after = on === undefined ? buyer : await change(context, 'email_link', buyer.buyer, { [kind]: on });
  return { kind, on: preferencesOf(after)[kind] };
}

export interface RaiseBuyerNotificationsContext extends Context {
  readonly orderCache: Pick<OrderCache, 'some'>;
}

const STATEMENT_HOUR = 7;
const [MONDAY, TUESDAY] = [1, 2];

/** Each notification is written with the item that records it, so nothing is sent twice. @returns how many were written */
export async function raiseBuyerNotifications(context: RaiseBuyerNotificationsContext): Promise<number> {
  const buyers = (await buyerStore.all(context)).filter(({ deleted_at }) => deleted_at === null);
  const wantingNearlyFull = buyers.filter((buyer) => buyer.notify_order_nearly_full);
  const wantingStatements = buyers.filter((buyer) => buyer.notify_weekly_statement);
  const nearlyFull = await raiseNearlyFull(context, wantingNearlyFull);
  const today = berlinDay(context.runtime.now());
  const weekday = weekdayOf(today);
  // If no run happened on Monday, Tuesday sends the statement. Later it would be outdated.
  const isMissed = weekday === TUESDAY;
  const isDue = isMissed || (weekday === MONDAY && berlinHour(context.runtime.now()) >= STATEMENT_HOUR);
  const monday = isMissed ? addDays(today, -1) : today;
  const statements = isDue ? await raiseStatements(context, wantingStatements, monday) : 0;
  return nearlyFull + statements;
}

async function raiseNearlyFull(
  context: RaiseBuyerNotificationsContext,
  buyers: readonly Buyer[],
): Promise<number> {
  if (buyers.length === 0) return 0;
  const { entries } = await poolStore.read(context);
  const entryOf = new Map(entries.map((entry) => [entry.buyer, entry]));
  const ids = buyers.flatMap(({ buyer }) => entryOf.get(buyer)?.order_id ?? []);
  const orders = [...(await context.orderCache.some(ids)).values()].filter(
    (order) => isServed(entryOf.get(order.buyer), order.order_id) && isNearlyFull(order, NEARLY_FULL_PERCENT),
  );
  const orderIds = orders.map(({ order_id }) => order_id);
  const notified = await sentNotificationStore.ordersNotified(context, orderIds);
  let count = 0;
  for (const order_id of orderIds.filter((id) => !notified.has(id))) {
    const request = `nearly-full-${order_id}`;
    const { ok } = await context.table.transact([
      sentNotificationStore.orderNotified(order_id),
      notificationStore.created({ about: 'order_nearly_full', order_id, request }, context.runtime.now()),
    ]);
    if (ok) count += 1;
  }
  return count;
}

async function raiseStatements(
  context: RaiseBuyerNotificationsContext,
  buyers: readonly Buyer[],
  monday: string,
): Promise<number> {
  const numbers = buyers.map(({ buyer }) => buyer);
  const notified = await sentNotificationStore.weeksNotified(context, numbers);
  const due = buyers.filter(({ buyer }) => (notified.get(buyer) ?? '') < monday);
  if (due.length === 0) return 0;
  const days = [...(await statisticsStore.range(context, addDays(monday, -7), addDays(monday, -1))).values()];
  const now = context.runtime.now();
  let count = 0;
  for (const buyer of due) {
    const happened = days.some((day) => {
      const part = day.get(buyer.buyer);
      return part !== undefined && part.originals + part.reimbursements + part.claims > 0;
    });
    if (!happened) continue;
    const order = (await orderStore.ofBuyer(context, buyer.buyer)).findLast(
      (one) => one.token !== '' && !isLinkExpired(one, buyer, now),
    );
    if (order === undefined) continue;
    const { order_id } = order;
    const request = `week-${monday}-${buyer.buyer}`;
    const { ok } = await context.table.transact([
      sentNotificationStore.weekNotified(buyer.buyer, monday),
      notificationStore.created({ about: 'weekly_statement', order_id, request }, now),
    ]);
    if (ok) count += 1;
  }
  return count;
}
