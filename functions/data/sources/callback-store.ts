/**
 * Callbacks and their way from `pending` to `delivered` or `failed`, like that of deliveries (`delivery-store.ts`). An open
 * one is in a list by when the reconciliation is to look at it.
 */

import type { DataContext } from '#functions/data/context';
import { hasBegun, isWritten, nextAttempt, nextRound } from '#functions/data/deliveries/sending';
import {
  type Callback,
  callbackId,
  callbackSchema,
  type SourceEvent,
} from '#functions/data/sources/callback';
import { eachOnce } from '#functions/data/table/each-once';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { indexed, keys } from '#functions/data/table/keys';
import { firstOfShards } from '#functions/data/table/shards';
import type { Item, Put } from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';
import type { DeliveryStatus, Endpoint } from '#shared/rules/constants';

/** How an attempt ended, or that none was made. */
export interface CallbackResult {
  readonly status: Exclude<DeliveryStatus, 'pending'>;
  readonly attempts: Callback['attempts'];
  readonly next_attempt_at: Date | null;
  readonly error: string | null;
}

/** How long the message of a new callback may take before the reconciliation looks. */
const FIRST_LOOK_AFTER_MS = 10 * 60_000;
/** The same after an attempt was due. */
const LOOK_AFTER_MS = 2 * 60_000;
/** After its end a callback is kept so long, to be read and sent again. Longer than the stream repeats a change. */
export const KEPT_SECONDS = 30 * 24 * 3600;
/** Keeps the item small; the oldest ones are dropped. */
const MAX_ATTEMPTS = 40;

export async function get(
  { table }: DataContext,
  lead: string,
  callback: string,
): Promise<Callback | undefined> {
  const item = await table.get(keys.callback(lead, callback));
  return item && callbackSchema.parse(item);
}

/** Writes a result if the condition `still` is met. @returns whether it was written */
async function conclude(
  { table }: DataContext,
  callback: Callback,
  { status, attempts, next_attempt_at: next, error }: CallbackResult,
  now: Date,
  still: { readonly condition: string; readonly values: Item },
): Promise<boolean> {
  const written = await table.update({
    key: keys.callback(callback.lead_id, callback.callback_id),
    update: `SET #status = :status, attempts = :attempts, updated_at = :now, next_attempt_at = :next, #error = :error, ${
      next === null ? 'expires_at = :expires REMOVE gsi1pk, gsi1sk,' : 'gsi1pk = :list, gsi1sk = :look REMOVE'
    } sending_until, sending_by`,
    condition: `#round = :round AND ${still.condition}`,
    names: { '#status': 'status', '#round': 'round', '#error': 'error' },
    values: {
      ':status': status,
      ':attempts': attempts.slice(-MAX_ATTEMPTS),
      ':now': now.toISOString(),
      ':next': next?.toISOString() ?? null,
      ':error': error,
      ':round': callback.round,
      ...(next === null
        ? { ':expires': epochSeconds(now) + KEPT_SECONDS }
        : {
            ':list': indexed.openCallbacks(callback.lead_id),
            ':look': lookKey(callback, new Date(next.getTime() + LOOK_AFTER_MS)),
          }),
      ...still.values,
    },
  });
  if (written.ok || written.item === undefined) return written.ok;
  return isWritten(callbackSchema.parse(written.item), callback, status, now);
}

/** The write of a new callback; it fails where the same change was seen before. */
export function created(told: SourceEvent, endpoint: Endpoint, now: Date): Put {
  const { occurredAtSeconds, ofBuyersOnly: _, ...event } = told;
  const at = now.toISOString();
  const callback: Callback = {
    ...event,
    callback_id: callbackId(endpoint, event),
    endpoint,
    occurred_at: occurredAtSeconds === undefined ? at : new Date(occurredAtSeconds * 1000).toISOString(),
    status: 'pending',
    created_at: at,
    updated_at: at,
    round: 1,
    attempt_count: 0,
    next_attempt_at: null,
    error: null,
    attempts: [],
  };
  return {
    put: {
      ...keys.callback(callback.lead_id, callback.callback_id),
      ...callback,
      gsi1pk: indexed.openCallbacks(callback.lead_id),
      gsi1sk: lookKey(callback, new Date(now.getTime() + FIRST_LOOK_AFTER_MS)),
      gsi2pk: indexed.callbacksOf(callback.source),
      gsi2sk: lookKey(callback, now),
    },
    condition: 'attribute_not_exists(pk)',
  };
}

/**
 * Claims the next attempt for this worker: counts it and records it with an unknown outcome, which remains if the worker
 * dies.
 * @param seen as read; any change since then makes the claim fail
 * @param until when another worker may take over
 * @returns the callback after the write, or undefined when another worker was faster
 */
export async function claim(
  { table }: DataContext,
  seen: Callback,
  attempt: Callback['attempts'][number],
  until: Date,
): Promise<Callback | undefined> {
  const by = newWriteId(table.runtime);
  const attempts = [...seen.attempts, attempt].slice(-MAX_ATTEMPTS);
  const { set, condition, names, values } = nextAttempt(seen, { at: attempt.at, attempts, by, until });
  const written = await table.update({
    key: keys.callback(seen.lead_id, seen.callback_id),
    update: `SET ${set}`,
    condition,
    names,
    values,
  });
  const current = written.item && callbackSchema.parse(written.item);
  return current?.sending_by === by ? current : undefined;
}

/** Records how a claimed attempt ended. @returns false when it was taken over or a new round began meanwhile */
export const finish = (
  context: DataContext,
  claimed: Callback,
  result: CallbackResult,
  now: Date,
): Promise<boolean> =>
  conclude(context, claimed, result, now, {
    condition: 'sending_until = :until',
    values: { ':until': claimed.sending_until ?? '' },
  });

/** Records that no attempt was made. @returns false when the callback changed since it was read */
export const recordSkipped = (
  context: DataContext,
  seen: Callback,
  result: CallbackResult,
  now: Date,
): Promise<boolean> =>
  conclude(context, seen, result, now, {
    condition: '#status = :seen_status AND updated_at = :seen_at',
    values: { ':seen_status': seen.status, ':seen_at': seen.updated_at },
  });

/**
 * Starts a new round, under the same id; the outbox puts it on the queue.
 * @returns when none can start, the callback as it is: on its way already, or undefined if there is none
 */
export async function sendAgain(
  context: DataContext,
  lead: string,
  callback: string,
  now: Date,
): Promise<{ readonly ok: boolean; readonly callback: Callback | undefined }> {
  const seen = await get(context, lead, callback);
  if (seen === undefined) return { ok: false, callback: undefined };
  const { set, condition, names, values } = nextRound(seen, now);
  const written = await context.table.update({
    key: keys.callback(lead, callback),
    update: `SET ${set}, gsi1pk = :list, gsi1sk = :look REMOVE sending_until, sending_by, expires_at`,
    condition,
    names,
    values: {
      ...values,
      ':list': indexed.openCallbacks(lead),
      ':look': lookKey(seen, new Date(now.getTime() + LOOK_AFTER_MS)),
    },
  });
  const found = written.item && callbackSchema.parse(written.item);
  return { ok: hasBegun(found, seen, now), callback: found };
}

/** Open callbacks that are to be looked at by an instant, the oldest first. */
export async function toLookAt({ table }: DataContext, by: Date, limit: number): Promise<Callback[]> {
  const shards = indexed.everyOpenCallback();
  return parsed(await firstOfShards(table, shards, { before: by.toISOString(), limit }));
}

/** Has the reconciliation look at a callback at an instant and not before. @returns false when it changed meanwhile */
export async function recheckAt({ table }: DataContext, seen: Callback, at: Date): Promise<boolean> {
  const written = await table.update({
    key: keys.callback(seen.lead_id, seen.callback_id),
    update: 'SET gsi1sk = :look',
    condition: 'updated_at = :seen_at AND attribute_exists(gsi1pk)',
    values: { ':look': lookKey(seen, at), ':seen_at': seen.updated_at },
  });
  return written.ok;
}

/** Every open callback. Each comes once, though it may be changed meanwhile. */
export const open = ({ table }: DataContext): AsyncGenerator<readonly Callback[]> =>
  eachOnce(
    table,
    indexed.everyOpenCallback().map((partition) => ({ index: 'gsi1', partition })),
    (item) => callbackSchema.parse(item),
    ({ lead_id, callback_id }) => `${lead_id}#${callback_id}`,
  );

/** Those of a source, the newest first. */
export async function ofSource(
  { table }: DataContext,
  source: number,
  { limit, after }: { readonly limit: number; readonly after?: Item | undefined },
): Promise<{ readonly callbacks: Callback[]; readonly next: Item | undefined }> {
  const page = await table.query({
    index: 'gsi2',
    partition: indexed.callbacksOf(source),
    descending: true,
    limit,
    ...(after && { after }),
  });
  return { callbacks: parsed(page.items), next: page.next };
}

function lookKey({ lead_id, callback_id }: Pick<Callback, 'lead_id' | 'callback_id'>, at: Date): string {
  return indexed.at(at.toISOString(), `${lead_id}#${callback_id}`);
}

const parsed = (items: readonly Item[]): Callback[] => items.map((item) => callbackSchema.parse(item));
