/**
 * Erasures, withdrawals of consent and the buyers they concern, without the person. Open ones and due e-mails are indexed by their
 * next check.
 */

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { personal } from '#functions/data/personal';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { newItem, read, readAll } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, Put, Update } from '#functions/data/table/table';
import {
  ERASURE_PURPOSES,
  ERASURE_STAGES,
  type ErasureStage,
  WITHDRAWAL_WAYS,
} from '#shared/rules/constants';

const purpose = () => z._default(z.enum(ERASURE_PURPOSES), 'erasure');

export const erasureSchema = z.object({
  erasure_id: z.string(),
  purpose: purpose(),
  lead_ids: z.array(z.string()),
  stage: z.enum(ERASURE_STAGES),
  begun_by: z.string(),
  begun_at: z.string(),
  erased_at: z.optional(z.string()),
  /** Of the leads before they were erased; removed by the last check. */
  fingerprints: personal(z.optional(z.array(z.string())), {
    kept: 'by them the check finds what a call in progress wrote',
  }),
  /** Of a withdrawal. */
  way: z.optional(z.enum(WITHDRAWAL_WAYS)),
  persons: personal(z.optional(z.array(z.object({ email: z.string(), telefon: z.string() }))), {
    kept: 'by them the check of a withdrawal finds leads that were stored meanwhile',
  }),
  /** When the last check found nothing. */
  done_at: z.optional(z.string()),
});
export type Erasure = z.output<typeof erasureSchema>;

export const recipientSchema = z.object({
  erasure_id: z.string(),
  purpose: purpose(),
  buyer: z.int(),
  leads: z.array(
    z.object({
      lead_id: z.string(),
      number: z.string(),
      delivered_at: z.string(),
      /** The buyer's own IDs of the lead; removed when it has confirmed. */
      partner_ids: personal(z.array(z.string()), { kept: 'by it the buyer finds what it is to erase' }),
    }),
  ),
  /** There is no e-mail address or mail server, so somebody has to notify the buyer. */
  by_hand: z.boolean(),
  email_count: z.int(),
  notified_at: z.optional(z.string()),
  confirmed_at: z.optional(z.string()),
  /** `link`, or the admin who recorded it. */
  confirmed_by: z.optional(z.string()),
});
export type Recipient = z.output<typeof recipientSchema>;

const TOKEN_SECONDS = 365 * 24 * 3600;

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

export const get = (context: DataContext, erasureId: string): Promise<Erasure | undefined> =>
  read(context, keys.erasure(erasureId), erasureSchema);
export const recipient = (
  context: DataContext,
  erasureId: string,
  buyer: number,
): Promise<Recipient | undefined> => read(context, keys.erasureRecipient(erasureId, buyer), recipientSchema);

export const begun = (erasure: Erasure, recipients: readonly Recipient[]): Put[] => [
  newItem(keys.erasure(erasure.erasure_id), {
    ...erasure,
    gsi1pk: indexed.erasures(),
    gsi1sk: indexed.at(erasure.begun_at, erasure.erasure_id),
    gsi2pk: indexed.openErasures(),
    gsi2sk: indexed.at(erasure.begun_at, erasure.erasure_id),
  }),
  ...recipients.map(concerned),
];

export const concerned = (one: Recipient): Put =>
  newItem(keys.erasureRecipient(one.erasure_id, one.buyer), one);

export const recipients = (context: DataContext, erasureId: string): Promise<Recipient[]> =>
  readAll(
    context,
    { partition: keys.erasurePartition(erasureId), sort: { prefix: 'RECIPIENT#' } },
    recipientSchema,
  );

export async function list(
  { table }: DataContext,
  options: {
    limit: number;
    after?: Item | undefined;
  },
): Promise<{ erasures: Erasure[]; next: Item | undefined }> {
  const { items, next } = await table.query({
    index: 'gsi1',
    partition: indexed.erasures(),
    descending: true,
    limit: options.limit,
    ...(options.after && { after: options.after }),
  });
  return { erasures: items.map((item) => erasureSchema.parse(item)), next };
}

export async function open({ table }: DataContext, by: Date, limit: number): Promise<Erasure[]> {
  const { items } = await table.query({
    index: 'gsi2',
    partition: indexed.openErasures(),
    sort: { from: '0', to: indexed.at(by.toISOString(), '~') },
    limit,
  });
  return items.map((item) => erasureSchema.parse(item));
}

export function moved(erasure: Erasure, stage: ErasureStage, at: Date, nextCheckAt: Date): Update {
  const isDone = stage === 'done';
  return {
    key: keys.erasure(erasure.erasure_id),
    update: `SET stage = :next, ${isDone ? 'done_at' : 'erased_at'} = :at${
      isDone ? ' REMOVE gsi2pk, gsi2sk, fingerprints, persons' : ', gsi2sk = :check'
    }`,
    condition: 'stage = :expected',
    values: {
      ':next': stage,
      ':expected': erasure.stage,
      ':at': at.toISOString(),
      ...(!isDone && { ':check': indexed.at(nextCheckAt.toISOString(), erasure.erasure_id) }),
    },
  };
}

export const fingerprintsForgotten = ({ table }: DataContext, { erasure_id }: Erasure) =>
  table.update({
    key: keys.erasure(erasure_id),
    update: 'REMOVE fingerprints',
    condition: 'attribute_exists(pk)',
  });

export async function checkAgain(
  { table }: DataContext,
  { erasure_id, stage }: Erasure,
  at: Date,
): Promise<void> {
  await table.update({
    key: keys.erasure(erasure_id),
    update: 'SET gsi2sk = :check',
    condition: 'stage = :expected AND attribute_exists(gsi2pk)',
    values: { ':check': indexed.at(at.toISOString(), erasure_id), ':expected': stage },
  });
}

/** @param next when the following e-mail is due; undefined for none */
export function emailRequested(
  { erasure_id, buyer, email_count }: Recipient,
  next: Date | undefined,
): Update {
  return {
    key: keys.erasureRecipient(erasure_id, buyer),
    update: `SET email_count = :emails${
      next === undefined ? ' REMOVE gsi2pk, gsi2sk' : ', gsi2pk = :list, gsi2sk = :next'
    }`,
    condition: 'email_count = :expected AND attribute_not_exists(confirmed_at)',
    values: {
      ':emails': email_count + 1,
      ':expected': email_count,
      ...(next !== undefined && {
        ':list': indexed.erasureEmails(),
        ':next': indexed.at(next.toISOString(), `${erasure_id}#${buyer}`),
      }),
    },
  };
}

export async function emailsDue({ table }: DataContext, by: Date, limit: number): Promise<Recipient[]> {
  const { items } = await table.query({
    index: 'gsi2',
    partition: indexed.erasureEmails(),
    sort: { from: '0', to: indexed.at(by.toISOString(), '~') },
    limit,
  });
  return items.map((item) => recipientSchema.parse(item));
}

export async function notified(
  { table }: DataContext,
  { erasure_id, buyer }: Pick<Recipient, 'erasure_id' | 'buyer'>,
  at: Date,
): Promise<void> {
  await table.update({
    key: keys.erasureRecipient(erasure_id, buyer),
    update: 'SET notified_at = :at',
    condition: 'attribute_exists(pk)',
    values: { ':at': at.toISOString() },
  });
}

export function confirmed({ erasure_id, buyer, leads }: Recipient, by: string, at: Date): Update {
  return {
    key: keys.erasureRecipient(erasure_id, buyer),
    update: 'SET confirmed_at = :at, confirmed_by = :by, leads = :leads REMOVE gsi2pk, gsi2sk',
    condition: 'attribute_exists(pk) AND attribute_not_exists(confirmed_at)',
    values: {
      ':at': at.toISOString(),
      ':by': by,
      ':leads': leads.map((lead) => ({ ...lead, partner_ids: [] })),
    },
  };
}

/** Only a hash of the token is stored. */
export async function tokenMade(
  { table }: DataContext,
  token: string,
  { erasure_id, buyer }: Pick<Recipient, 'erasure_id' | 'buyer'>,
  now: Date,
): Promise<void> {
  await table.put({
    put: {
      ...keys.erasureToken(hashOf(token)),
      erasure_id,
      buyer,
      expires_at: epochSeconds(now) + TOKEN_SECONDS,
    },
  });
}

export async function byToken(
  context: DataContext,
  token: string,
  now: Date,
): Promise<Recipient | undefined> {
  const item = await context.table.get(keys.erasureToken(hashOf(token)));
  if (item === undefined || Number(item.expires_at) <= epochSeconds(now)) return undefined;
  return recipient(context, String(item.erasure_id), Number(item.buyer));
}
