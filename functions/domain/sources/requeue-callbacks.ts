/** Puts callbacks on the queue again whose message was lost, or whose worker crashed. */
import type { Context } from '#functions/data/context';
import type { Callback } from '#functions/data/sources/callback';
import * as callbackStore from '#functions/data/sources/callback-store';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { dueAt, outgoingAt } from '#functions/domain/deliveries/attempts';
import { messageFor } from '#functions/domain/sources/callback-message';
import type { CallbackMessage } from '#functions/queues/messages';
import { MAX_DELAY_SECONDS, type Queue, sendAll } from '#functions/queues/queue';

interface OwnContext extends Context {
  readonly queue: Queue<CallbackMessage>;
}

const MAX_PER_RUN = 1_000;
/** A message on the queue is given so long before the next one is sent, and later as long as the callback is overdue. */
const MIN_INTERVAL_MS = 10 * 60_000;

/** Called by the reconciliation, every minute. @returns how many were put on the queue */
export async function requeueCallbacks(context: OwnContext): Promise<number> {
  return requeue(context, await callbackStore.toLookAt(context, context.runtime.now(), MAX_PER_RUN));
}

/**
 * Called when a runtime starts whose queues keep nothing: every open callback gets a message, also one that an earlier start
 * has looked at.
 */
export async function requeueOpenCallbacks(context: OwnContext): Promise<number> {
  let count = 0;
  for await (const page of callbackStore.open(context)) count += await requeue(context, page);
  return count;
}

async function requeue(context: OwnContext, callbacks: readonly Callback[]): Promise<number> {
  const now = context.runtime.now();
  const messages = await mapConcurrently(callbacks, async (callback) => {
    const due = dueAt(callback, now);
    const waitMs = due.getTime() - now.getTime();
    // One that is due later than a message can wait is found when it is overdue.
    if (waitMs > MAX_DELAY_SECONDS * 1000) return [];
    const look = new Date(now.getTime() + Math.max(MIN_INTERVAL_MS, Math.abs(waitMs)));
    if (waitMs <= 0 && !(await callbackStore.recheckAt(context, callback, look))) return [];
    return [outgoingAt(messageFor(callback), due, now)];
  });
  await sendAll(context.queue, messages.flat());
  return messages.flat().length;
}
