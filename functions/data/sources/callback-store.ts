import type { DataContext } from '#functions/data/context';
import { newSending } from '#functions/data/deliveries/sending';
import type { Kind, Location, Part } from '#functions/data/deliveries/sending-store';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import {
  type Callback,
  callbackId,
  callbackSchema,
  type SourceEvent,
} from '#functions/data/sources/callback';
import { eachOnce } from '#functions/data/table/each-once';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { newItem, read } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import { firstOfShards } from '#functions/data/table/shards';
import type { Item, Put } from '#functions/data/table/table';
import type { Endpoint } from '#shared/rules/constants';

/** How long a new callback's message may take before the reconciliation checks. */
const INITIAL_DELAY_MS = 10 * 60_000;
/** The same after an attempt was due. */
const CHECK_DELAY_MS = 2 * 60_000;
/** Longer than the stream repeats a change. */
export const KEPT_SECONDS = 30 * 24 * 3600;

const LOCATION: Location<Callback> = {
  schema: callbackSchema,
  keyOf: ({ lead_id, callback_id }) => keys.callback(lead_id, callback_id),
  same: () => ({}),
};

export const CALLBACKS: Kind<Callback> = {
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

export const get = (context: DataContext, lead: string, callback: string): Promise<Callback | undefined> =>
  read(context, keys.callback(lead, callback), callbackSchema);

const listedFrom = (callback: Callback, at: Date): Part => ({
  set: 'gsi1pk = :list, gsi1sk = :check',
  values: {
    ':list': indexed.openCallbacks(callback.lead_id),
    ':check': nextCheckKey(callback, new Date(at.getTime() + CHECK_DELAY_MS)),
  },
});

/** Fails if the same change was seen before. */
export function created(sourceEvent: SourceEvent, endpoint: Endpoint, now: Date): Put {
  const { occurredAtSeconds, ofBuyersOnly: _, ...event } = sourceEvent;
  const at = now.toISOString();
  const callback: Callback = {
    ...event,
    callback_id: callbackId(endpoint, event),
    endpoint,
    occurred_at: occurredAtSeconds === undefined ? at : new Date(occurredAtSeconds * 1000).toISOString(),
    ...newSending(at),
  };
  return newItem(keys.callback(callback.lead_id, callback.callback_id), {
    ...callback,
    gsi1pk: indexed.openCallbacks(callback.lead_id),
    gsi1sk: nextCheckKey(callback, new Date(now.getTime() + INITIAL_DELAY_MS)),
    gsi2pk: indexed.callbacksOf(callback.source),
    gsi2sk: nextCheckKey(callback, now),
  });
}

/** Keeps the ID. @returns the unchanged callback if it is being sent already; undefined if there is none */
export async function sendAgain(
  context: DataContext,
  lead: string,
  callback: string,
  now: Date,
): Promise<{ readonly ok: boolean; readonly callback: Callback | undefined }> {
  const expected = await get(context, lead, callback);
  if (expected === undefined) return { ok: false, callback: undefined };
  const listed = { ...listedFrom(expected, now), remove: 'expires_at' };
  const { ok, found } = await sendingStore.begin(context, LOCATION, expected, now, listed);
  return { ok, callback: found };
}

export async function due({ table }: DataContext, by: Date, limit: number): Promise<Callback[]> {
  const shards = indexed.everyOpenCallback();
  return parsed(await firstOfShards(table, shards, { before: by.toISOString(), limit }));
}

/** @returns false if it changed meanwhile */
export async function setNextCheckAt(context: DataContext, expected: Callback, at: Date): Promise<boolean> {
  const nextCheck = {
    set: 'gsi1sk = :check',
    condition: 'updated_at = :expected_at AND attribute_exists(gsi1pk)',
    values: { ':check': nextCheckKey(expected, at), ':expected_at': expected.updated_at },
  };
  return (await sendingStore.change(context, LOCATION, expected, nextCheck)).ok;
}

export const open = ({ table }: DataContext): AsyncGenerator<readonly Callback[]> =>
  eachOnce(
    table,
    indexed.everyOpenCallback().map((partition) => ({ index: 'gsi1', partition })),
    (item) => callbackSchema.parse(item),
    ({ lead_id, callback_id }) => `${lead_id}#${callback_id}`,
  );

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

function nextCheckKey({ lead_id, callback_id }: Pick<Callback, 'lead_id' | 'callback_id'>, at: Date): string {
  return indexed.at(at.toISOString(), `${lead_id}#${callback_id}`);
}

const parsed = (items: readonly Item[]): Callback[] => items.map((item) => callbackSchema.parse(item));
