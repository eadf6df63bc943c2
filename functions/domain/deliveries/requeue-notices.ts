/** Puts notices on the queue that were postponed, or whose message was lost. */
import type { Context } from '#functions/data/context';
import type { Notice } from '#functions/data/deliveries/notice-store';
import * as noticeStore from '#functions/data/deliveries/notice-store';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { type NotifyMessage, notifyMessage } from '#functions/queues/messages';
import { type Queue, sendAll } from '#functions/queues/queue';

interface OwnContext extends Context {
  readonly queue: Queue<NotifyMessage>;
}

const MAX_PER_RUN = 1_000;
/** A message on the queue is given so long before the next one is sent, and later as long as the notice is old. */
const MIN_INTERVAL_MS = 10 * 60_000;

/** Called by the reconciliation, every minute. @returns how many were put on the queue */
export async function requeueNotices(context: OwnContext): Promise<number> {
  return requeue(context, await noticeStore.toLookAt(context, context.runtime.now(), MAX_PER_RUN));
}

/**
 * Called when a runtime starts whose queues keep nothing: every open notice that is due gets a message, also one that an
 * earlier start has looked at.
 */
export async function requeueOpenNotices(context: OwnContext): Promise<number> {
  let count = 0;
  for await (const page of noticeStore.open(context))
    count += await requeue(
      context,
      page.filter((notice) => dueOf(notice) <= context.runtime.now()),
    );
  return count;
}

async function requeue(context: OwnContext, notices: readonly Notice[]): Promise<number> {
  const now = context.runtime.now().getTime();
  const messages = await mapConcurrently(notices, async (notice) => {
    const wait = Math.max(MIN_INTERVAL_MS, now - dueOf(notice).getTime());
    const open = await noticeStore.recheckAt(context, notice, new Date(now + wait));
    return open ? [{ message: notifyMessage.parse(notice) }] : [];
  });
  await sendAll(context.queue, messages.flat());
  return messages.flat().length;
}

function dueOf({ next_attempt_at, created_at }: Notice): Date {
  return new Date(next_attempt_at ?? created_at);
}
