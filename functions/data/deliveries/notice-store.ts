/** Notifications until they are sent, without personal data; open ones are indexed by their next check. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { eachOnce } from '#functions/data/table/each-once';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { newItem, read } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Page, Put } from '#functions/data/table/table';
import { ALERT_MEDIA } from '#shared/rules/constants';

export const noticeSchema = z.object({
  about: z.enum([
    'lead',
    'claim_filed',
    'claim_decided',
    'claim_review',
    'erasure',
    'link_code',
    'link_renewed',
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
  letter: z.optional(z.int()),
  alert: z.optional(z.string()),
  medium: z.optional(z.enum(ALERT_MEDIA)),
  title: z.optional(z.string()),
  lines: z.optional(z.array(z.string())),
  created_at: z.string(),
  attempt_count: z.int(),
  next_attempt_at: z.nullable(z.string()),
  done_at: z.optional(z.string()),
});
export type Notice = z.output<typeof noticeSchema>;
export type NoticeSubject = Omit<
  Notice,
  'title' | 'lines' | 'created_at' | 'attempt_count' | 'next_attempt_at' | 'done_at'
>;

/** How long a new notification's message may take before the reconciliation checks. */
const FIRST_LOOK_AFTER_MS = 2 * 60_000;
/** So that a repeated stream record does not create it again. */
const KEPT_SECONDS = 30 * 24 * 3600;

/** @param subject of an alert: also its text */
export const created = (subject: NoticeSubject & Pick<Notice, 'title' | 'lines'>, now: Date): Put =>
  newItem(keys.notice(nameOf(subject)), {
    ...subject,
    created_at: now.toISOString(),
    attempt_count: 0,
    next_attempt_at: null,
    gsi2pk: indexed.openNotices(),
    gsi2sk: lookKey(subject, new Date(now.getTime() + FIRST_LOOK_AFTER_MS)),
  });

export const get = (context: DataContext, subject: NoticeSubject): Promise<Notice | undefined> =>
  read(context, keys.notice(nameOf(subject)), noticeSchema);

export async function done({ table }: DataContext, notice: Notice, now: Date): Promise<void> {
  await table.update({
    key: keys.notice(nameOf(notice)),
    update: 'SET done_at = :now, expires_at = :expires, next_attempt_at = :null REMOVE gsi2pk, gsi2sk',
    condition: 'attribute_exists(pk)',
    values: {
      ':now': now.toISOString(),
      ':expires': epochSeconds(now) + KEPT_SECONDS,
      ':null': null,
    },
  });
}

export async function postpone({ table }: DataContext, notice: Notice, until: Date): Promise<void> {
  await table.update({
    key: keys.notice(nameOf(notice)),
    update: 'SET attempt_count = :count, next_attempt_at = :until, gsi2sk = :look',
    condition: 'attribute_not_exists(done_at) AND attempt_count = :seen',
    values: {
      ':count': notice.attempt_count + 1,
      ':seen': notice.attempt_count,
      ':until': until.toISOString(),
      ':look': lookKey(notice, until),
    },
  });
}

export async function toLookAt({ table }: DataContext, by: Date, limit: number): Promise<Notice[]> {
  const page = await table.query({
    index: 'gsi2',
    partition: indexed.openNotices(),
    sort: { from: '0', to: indexed.at(by.toISOString(), '~') },
    limit,
  });
  return parsed(page);
}

/** @returns false if it is done */
export async function recheckAt({ table }: DataContext, notice: Notice, at: Date): Promise<boolean> {
  const { ok } = await table.update({
    key: keys.notice(nameOf(notice)),
    update: 'SET gsi2sk = :look',
    condition: 'attribute_exists(gsi2pk)',
    values: { ':look': lookKey(notice, at) },
  });
  return ok;
}

export const open = ({ table }: DataContext): AsyncGenerator<readonly Notice[]> =>
  eachOnce(
    table,
    [{ index: 'gsi2', partition: indexed.openNotices() }],
    (item) => noticeSchema.parse(item),
    nameOf,
  );

/** A lead has at most one claim, so the lead's ID identifies the claim as well. */
function nameOf(of: NoticeSubject): string {
  if (of.about === 'alert') return `alert#${of.alert}#${of.medium}`;
  if (of.about === 'erasure') return `erasure#${of.erasure}#${of.buyer}#${of.letter}`;
  if (of.about === 'order_renewed') return `order_renewed#${of.order_id}`;
  return `${of.status ?? of.about}#${of.lead_id ?? `${of.order_id}#${of.request}`}`;
}

function lookKey(subject: NoticeSubject, at: Date): string {
  return indexed.at(at.toISOString(), nameOf(subject));
}

function parsed(page: Page): Notice[] {
  return page.items.map((item) => noticeSchema.parse(item));
}
