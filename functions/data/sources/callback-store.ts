import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { newSending } from '#functions/data/deliveries/sending';
import type { Kind, Location, Part } from '#functions/data/deliveries/sending-store';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import {
  callbackId,
  callbackSchema,
  type SourceEvent,
  type Subject,
  subjectOf,
} from '#functions/data/sources/callback';
import { eachOnce } from '#functions/data/table/each-once';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { newItem, read, readAll } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import { firstOfShards } from '#functions/data/table/shards';
import type { Item, Put } from '#functions/data/table/table';
import { callId, type InstallationEvent, webhookCallSchema } from '#functions/data/webhooks/webhook-call';
import type { Endpoint } from '#shared/rules/constants';

/** To a source, or to a webhook of the installation. */
export const anyCallbackSchema = z.union([webhookCallSchema, callbackSchema]);
export type AnyCallback = z.output<typeof anyCallbackSchema>;

/** How long a new callback's message may take before the reconciliation checks. */
const INITIAL_DELAY_MS = 10 * 60_000;
/** The same after an attempt was due. */
const CHECK_DELAY_MS = 2 * 60_000;
/** Longer than the stream repeats a change. */
export const KEPT_SECONDS = 30 * 24 * 3600;

const LOCATION: Location<AnyCallback> = {
  schema: anyCallbackSchema,
  keyOf: (callback) => keys.callback(subjectOf(callback), callback.callback_id),
  same: () => ({}),
};

export const CALLBACKS: Kind<AnyCallback> = {
  location: LOCATION,
  claimed: () => ({}),
  concluded: (callback, { next_attempt_at }, now) =>
    next_attempt_at === null
      ? {
          set: 'expires_at = :expires',
          remove: 'gsi1pk, gsi1sk',
          values: { ':expires': epochSeconds(now) + KEPT_SECONDS },
        }
      : listedFrom(callback, next_attempt_at),
  maxAttempts: 40,
};

export const get = (context: DataContext, subject: string, callback: string) =>
  read(context, keys.callback(subject, callback), anyCallbackSchema);

/** All of a lead or an order. */
export const about = (context: DataContext, subject: string): Promise<AnyCallback[]> =>
  readAll(context, { partition: keys.callbacks(subject) }, anyCallbackSchema);

const listedFrom = (callback: AnyCallback, at: Date): Part => ({
  set: 'gsi1pk = :list, gsi1sk = :check',
  values: {
    ':list': indexed.openCallbacks(subjectOf(callback)),
    ':check': nextCheckKey(callback, new Date(at.getTime() + CHECK_DELAY_MS)),
  },
});

/** Fails if the same change was seen before. */
export function created(sourceEvent: SourceEvent, endpoint: Endpoint, now: Date): Put {
  const { occurredAtSeconds, ofBuyersOnly: _, ...event } = sourceEvent;
  const at = now.toISOString();
  const occurred_at = occurredAtSeconds === undefined ? at : new Date(occurredAtSeconds * 1000).toISOString();
  const id = callbackId(endpoint, event);
  return listed({ ...event, callback_id: id, endpoint, occurred_at, ...newSending(at) }, now);
}

/** Fails if the same event was seen before. */
export const callCreated = (event: InstallationEvent, webhook: number, now: Date): Put =>
  listed({ ...event, callback_id: callId(webhook, event), webhook, ...newSending(now.toISOString()) }, now);

function listed(callback: AnyCallback, now: Date): Put {
  return newItem(LOCATION.keyOf(callback), {
    ...callback,
    gsi1pk: indexed.openCallbacks(subjectOf(callback)),
    gsi1sk: nextCheckKey(callback, new Date(now.getTime() + INITIAL_DELAY_MS)),
    gsi2pk:
      'webhook' in callback ? indexed.webhookCalls(callback.webhook) : indexed.callbacksOf(callback.source),
    gsi2sk: nextCheckKey(callback, now),
  });
}

/** Keeps the ID. @returns the unchanged callback if it is being sent already; undefined if there is none */
export async function sendAgain(
  context: DataContext,
  subject: string,
  callback: string,
  now: Date,
): Promise<{ readonly ok: boolean; readonly callback: AnyCallback | undefined }> {
  const expected = await get(context, subject, callback);
  if (expected === undefined) return { ok: false, callback: undefined };
  const reopened = { ...listedFrom(expected, now), remove: 'expires_at' };
  const { ok, found } = await sendingStore.begin(context, LOCATION, expected, now, reopened);
  return { ok, callback: found };
}

export async function due({ table }: DataContext, by: Date, limit: number): Promise<AnyCallback[]> {
  const items = await firstOfShards(table, indexed.everyOpenCallback(), { before: by.toISOString(), limit });
  return items.map((item) => anyCallbackSchema.parse(item));
}

/** @returns false if it changed meanwhile */
export async function setNextCheckAt(
  context: DataContext,
  expected: AnyCallback,
  at: Date,
): Promise<boolean> {
  const nextCheck = {
    set: 'gsi1sk = :check',
    condition: 'updated_at = :expected_at AND attribute_exists(gsi1pk)',
    values: { ':check': nextCheckKey(expected, at), ':expected_at': expected.updated_at },
  };
  return (await sendingStore.change(context, LOCATION, expected, nextCheck)).ok;
}

export const open = ({ table }: DataContext): AsyncGenerator<readonly AnyCallback[]> =>
  eachOnce(
    table,
    indexed.everyOpenCallback().map((partition) => ({ index: 'gsi1', partition })),
    (item) => anyCallbackSchema.parse(item),
    (callback) => `${subjectOf(callback)}#${callback.callback_id}`,
  );

export interface PageStart {
  readonly limit: number;
  readonly after?: Item | undefined;
}

export interface Page<One> {
  readonly callbacks: One[];
  readonly next: Item | undefined;
}

export const ofSource = (context: DataContext, source: number, start: PageStart) =>
  pageOf(context, indexed.callbacksOf(source), callbackSchema, start);

export const ofWebhook = (context: DataContext, webhook: number, start: PageStart) =>
  pageOf(context, indexed.webhookCalls(webhook), webhookCallSchema, start);

async function pageOf<One>(
  { table }: DataContext,
  partition: string,
  schema: z.ZodMiniType<One>,
  { limit, after }: PageStart,
): Promise<Page<One>> {
  const page = await table.query({
    index: 'gsi2',
    partition,
    descending: true,
    limit,
    ...(after && { after }),
  });
  return { callbacks: page.items.map((item) => schema.parse(item)), next: page.next };
}

const nextCheckKey = (callback: Subject & Pick<AnyCallback, 'callback_id'>, at: Date): string =>
  indexed.at(at.toISOString(), `${subjectOf(callback)}#${callback.callback_id}`);
