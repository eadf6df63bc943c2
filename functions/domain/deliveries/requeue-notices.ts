/** Puts notices on the queue that were postponed, or whose message was lost. */
import type { Notice, NoticeStore } from '#functions/data/deliveries/notice-store';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { type NotifyMessage, notifyMessage } from '#functions/queues/messages';
import { type Queue, sendAll } from '#functions/queues/queue';
import type { Runtime } from '#functions/runtime';

interface Deps {
  readonly notices: Pick<NoticeStore, 'toLookAt' | 'recheckAt' | 'open'>;
  readonly queue: Queue<NotifyMessage>;
  readonly runtime: Runtime;
}

const MAX_PER_RUN = 1_000;
/** A message on the queue is given so long before the next one is sent, and later as long as the notice is old. */
const MIN_INTERVAL_MS = 10 * 60_000;

/** Called by the reconciliation, every minute. @returns how many were put on the queue */
export async function requeueNotices(deps: Deps): Promise<number> {
  return requeue(deps, await deps.notices.toLookAt(deps.runtime.now(), MAX_PER_RUN));
}

/**
 * Called when a runtime starts whose queues keep nothing: every open notice that is due gets a message, also one that an
 * earlier start has looked at.
 */
export async function requeueOpenNotices(deps: Deps): Promise<number> {
  let count = 0;
  for await (const page of deps.notices.open())
    count += await requeue(
      deps,
      page.filter((notice) => dueOf(notice) <= deps.runtime.now()),
    );
  return count;
}

async function requeue(deps: Deps, notices: readonly Notice[]): Promise<number> {
  const now = deps.runtime.now().getTime();
  const messages = await mapConcurrently(notices, async (notice) => {
    const wait = Math.max(MIN_INTERVAL_MS, now - dueOf(notice).getTime());
    const open = await deps.notices.recheckAt(notice, new Date(now + wait));
    return open ? [{ message: notifyMessage.parse(notice) }] : [];
  });
  await sendAll(deps.queue, messages.flat());
  return messages.flat().length;
}

function dueOf({ next_attempt_at, created_at }: Notice): Date {
  return new Date(next_attempt_at ?? created_at);
}
