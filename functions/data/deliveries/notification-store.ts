/** Notifications until they are sent, without personal data; open ones are indexed by their next check. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { eachOnce } from '#functions/data/table/each-once';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { newItem, read } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Page, Put } from '#functions/data/table/table';
import { ALERT_MEDIA, UNSENT_REASONS, type UnsentReason } from '#shared/rules/constants';

export const notificationSchema = z.object({
  about: z.enum([
    'lead',
    'claim_filed',
    'claim_decided',
    'claim_review',
    'confirm_consent',
    'erasure',
    'link_code',
    'link_regenerated',
    'statement',
    'order_renewed',
    'order_nearly_full',
    'weekly_statement',
    'alert',
  ]),
  lead_id: z.optional(z.string()),
  order_id: z.optional(z.int()),
  request: z.optional(z.string()),
  /** Absent for a claim that was filed. */
  status: z.optional(z.enum(['assigned', 'ineligible', 'approved', 'rejected'])),
  erasure: z.optional(z.string()),
  buyer: z.optional(z.int()),
  email_number: z.optional(z.int()),
  alert: z.optional(z.string()),
  medium: z.optional(z.enum(ALERT_MEDIA)),
  title: z.optional(z.string()),
  lines: z.optional(z.array(z.string())),
  created_at: z.string(),
  attempt_count: z.int(),
  next_attempt_at: z.nullable(z.string()),
  done_at: z.optional(z.string()),
  /** Absent if it was sent. */
  unsent: z.optional(z.enum(UNSENT_REASONS)),
});
export type Notification = z.output<typeof notificationSchema>;
export type NotificationSubject = Omit<
  Notification,
  'title' | 'lines' | 'created_at' | 'attempt_count' | 'next_attempt_at' | 'done_at' | 'unsent'
>;

/** How long a new notification's message may take before the reconciliation checks. */
const INITIAL_DELAY_MS = 2 * 60_000;
/** Sent notifications are kept, so that a repeated stream record does not create them again. */
const KEPT_SECONDS = 30 * 24 * 3600;

/** @param subject for an alert, also its text */
export const created = (
  subject: NotificationSubject & Pick<Notification, 'title' | 'lines'>,
  now: Date,
): Put =>
  newItem(keys.notification(nameOf(subject)), {
    ...subject,
    created_at: now.toISOString(),
    attempt_count: 0,
    next_attempt_at: null,
    gsi2pk: indexed.openNotifications(),
    gsi2sk: nextCheckKey(subject, new Date(now.getTime() + INITIAL_DELAY_MS)),
  });

export const get = (context: DataContext, subject: NotificationSubject): Promise<Notification | undefined> =>
  read(context, keys.notification(nameOf(subject)), notificationSchema);

/** Once more, from the start. Fails if the earlier one is not done or was repeated meanwhile. */
export const repeated = (earlier: Notification, request: string, now: Date): Put => ({
  ...created({ about: earlier.about, lead_id: earlier.lead_id, request }, now),
  condition: 'done_at = :done',
  values: { ':done': earlier.done_at },
});

export async function done(
  { table }: DataContext,
  notification: Notification,
  now: Date,
  unsent?: UnsentReason,
): Promise<void> {
  await table.update({
    key: keys.notification(nameOf(notification)),
    update: `SET done_at = :now, expires_at = :expires, next_attempt_at = :null${unsent === undefined ? '' : ', unsent = :unsent'} REMOVE gsi2pk, gsi2sk`,
    condition: 'attribute_exists(pk)',
    values: {
      ':now': now.toISOString(),
      ':expires': epochSeconds(now) + KEPT_SECONDS,
      ':null': null,
      ...(unsent !== undefined && { ':unsent': unsent }),
    },
  });
}

export async function postpone(
  { table }: DataContext,
  notification: Notification,
  until: Date,
): Promise<void> {
  await table.update({
    key: keys.notification(nameOf(notification)),
    update: 'SET attempt_count = :count, next_attempt_at = :until, gsi2sk = :check',
    // A worker that found another one sending waits for less time than an unconfirmed e-mail requires.
    condition: 'attribute_not_exists(done_at) AND (attempt_count = :expected OR next_attempt_at < :until)',
    values: {
      ':count': notification.attempt_count + 1,
      ':expected': notification.attempt_count,
      ':until': until.toISOString(),
      ':check': nextCheckKey(notification, until),
    },
  });
}

export async function due({ table }: DataContext, by: Date, limit: number): Promise<Notification[]> {
  const page = await table.query({
    index: 'gsi2',
    partition: indexed.openNotifications(),
    sort: { from: '0', to: indexed.at(by.toISOString(), '~') },
    limit,
  });
  return parsed(page);
}

/** @returns false if it was sent or given up */
export async function setNextCheckAt(
  { table }: DataContext,
  notification: Notification,
  at: Date,
): Promise<boolean> {
  const { ok } = await table.update({
    key: keys.notification(nameOf(notification)),
    update: 'SET gsi2sk = :check',
    condition: 'attribute_exists(gsi2pk)',
    values: { ':check': nextCheckKey(notification, at) },
  });
  return ok;
}

export const open = ({ table }: DataContext): AsyncGenerator<readonly Notification[]> =>
  eachOnce(
    table,
    [{ index: 'gsi2', partition: indexed.openNotifications() }],
    (item) => notificationSchema.parse(item),
    nameOf,
  );

/** A lead has at most one claim, so the lead's ID identifies the claim as well. */
function nameOf(of: NotificationSubject): string {
  if (of.about === 'alert') return `alert#${of.alert}#${of.medium}`;
  if (of.about === 'erasure') return `erasure#${of.erasure}#${of.buyer}#${of.email_number}`;
  if (of.about === 'order_renewed') return `order_renewed#${of.order_id}`;
  return `${of.status ?? of.about}#${of.lead_id ?? `${of.order_id}#${of.request}`}`;
}

function nextCheckKey(subject: NotificationSubject, at: Date): string {
  return indexed.at(at.toISOString(), nameOf(subject));
}

function parsed(page: Page): Notification[] {
  return page.items.map((item) => notificationSchema.parse(item));
}
