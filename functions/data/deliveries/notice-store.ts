/**
 * Notices: what somebody is to be told by push or e-mail, until it was sent. An open notice is in an index by when the
 * reconciliation is to look at it. It names a lead, an order or a buyer and contains no personal data.
 */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { eachOnce } from '#functions/data/table/each-once';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
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
  /** Of a letter with a link: its order, and the request that it answers. */
  order_id: z.optional(z.int()),
  request: z.optional(z.string()),
  /** What the lead or its claim became; absent for a claim that was filed. */
  status: z.optional(z.enum(['assigned', 'ineligible', 'approved', 'rejected'])),
  /** Of a letter about an erasure, of which the lead is one: the erasure, the buyer and the number of the letter. */
  erasure: z.optional(z.string()),
  buyer: z.optional(z.int()),
  letter: z.optional(z.int()),
  /** Of an alert: its id, how it is sent, and what it says. */
  alert: z.optional(z.string()),
  medium: z.optional(z.enum(ALERT_MEDIA)),
  title: z.optional(z.string()),
  lines: z.optional(z.array(z.string())),
  created_at: z.string(),
  /** Times that it was tried and postponed. */
  attempt_count: z.int(),
  /** While it is postponed. */
  next_attempt_at: z.nullable(z.string()),
  /** Once there is nothing more to send. */
  done_at: z.optional(z.string()),
});
export type Notice = z.output<typeof noticeSchema>;
/** What identifies a notice. */
export type NoticeSubject = Pick<
  Notice,
  | 'about'
  | 'lead_id'
  | 'order_id'
  | 'request'
  | 'status'
  | 'erasure'
  | 'buyer'
  | 'letter'
  | 'alert'
  | 'medium'
>;

/** How long the message of a new notice may take before the reconciliation looks. */
const FIRST_LOOK_AFTER_MS = 2 * 60_000;
/** A finished notice is kept, so that a repeated record of the stream does not create it again. */
const KEPT_SECONDS = 30 * 24 * 3600;

/** The write of a new notice, for a transaction. @param subject of an alert: also what it says */
export const created = (subject: NoticeSubject & Pick<Notice, 'title' | 'lines'>, now: Date): Put => ({
  put: {
    ...keys.notice(nameOf(subject)),
    ...subject,
    created_at: now.toISOString(),
    attempt_count: 0,
    next_attempt_at: null,
    gsi2pk: indexed.openNotices(),
    gsi2sk: lookKey(subject, new Date(now.getTime() + FIRST_LOOK_AFTER_MS)),
  },
  condition: 'attribute_not_exists(pk)',
});

export async function get({ table }: DataContext, subject: NoticeSubject): Promise<Notice | undefined> {
  const item = await table.get(keys.notice(nameOf(subject)));
  return item && noticeSchema.parse(item);
}

/** Records that there is nothing more to send. */
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

/** Records that it could not be sent, and when it is tried again. */
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

/** Open notices that are to be looked at by an instant, the oldest first. */
export async function toLookAt({ table }: DataContext, by: Date, limit: number): Promise<Notice[]> {
  const page = await table.query({
    index: 'gsi2',
    partition: indexed.openNotices(),
    sort: { from: '0', to: indexed.at(by.toISOString(), '~') },
    limit,
  });
  return parsed(page);
}

/** Has the reconciliation look at a notice at an instant and not before. @returns false when it is done */
export async function recheckAt({ table }: DataContext, notice: Notice, at: Date): Promise<boolean> {
  const written = await table.update({
    key: keys.notice(nameOf(notice)),
    update: 'SET gsi2sk = :look',
    condition: 'attribute_exists(gsi2pk)',
    values: { ':look': lookKey(notice, at) },
  });
  return written.ok;
}

/** Every open notice. Each comes once, though it may be changed meanwhile. */
export const open = ({ table }: DataContext): AsyncGenerator<readonly Notice[]> =>
  eachOnce(
    table,
    [{ index: 'gsi2', partition: indexed.openNotices() }],
    (item) => noticeSchema.parse(item),
    nameOf,
  );

/** A lead has one claim at most, so the lead's id identifies the claim as well. */
function nameOf({
  about,
  lead_id,
  order_id,
  request,
  status,
  erasure,
  buyer,
  letter,
  alert,
  medium,
}: NoticeSubject): string {
  if (about === 'alert') return `alert#${alert}#${medium}`;
  if (about === 'erasure') return `erasure#${erasure}#${buyer}#${letter}`;
  if (about === 'order_renewed') return `order_renewed#${order_id}`;
  return `${status ?? about}#${lead_id ?? `${order_id}#${request}`}`;
}

function lookKey(subject: NoticeSubject, at: Date): string {
  return indexed.at(at.toISOString(), nameOf(subject));
}

function parsed(page: Page): Notice[] {
  return page.items.map((item) => noticeSchema.parse(item));
}
