import { setTimeout as wait } from 'node:timers/promises';
import type { QueueName } from '#functions/platform/functions';
import type { QueuePoller } from '#local/queue-poller';
import type { Queues } from '#local/queues';
import type { StreamPoller } from '#local/stream-poller';

const CHECK_EVERY_MS = 15;

export interface NamedPoller {
  readonly name: QueueName;
  readonly poller: QueuePoller;
}

export async function untilSettled(
  queuePollers: readonly NamedPoller[],
  streamPollers: readonly StreamPoller[],
  queues: Queues,
): Promise<void> {
  // Twice, because a message that is processed during the first check may have written to the stream since.
  for (let calm = 0; calm < 2; calm = (await isSettled(queuePollers, streamPollers, queues)) ? calm + 1 : 0)
    await wait(CHECK_EVERY_MS);
}

async function isSettled(
  queuePollers: readonly NamedPoller[],
  streamPollers: readonly StreamPoller[],
  queues: Queues,
): Promise<boolean> {
  if (queuePollers.some(({ poller }) => !poller.idle)) return false;
  await Promise.all(streamPollers.map((poller) => poller.untilCaughtUp()));
  for (const { name, poller } of queuePollers) {
    const { ready, delayed, inflight } = await queues.content(name);
    if (ready.length > 0 || !poller.idle) return false;
    if (delayed.some(({ delayUntil = 0 }) => delayUntil <= Date.now())) return false;
    if (inflight.some(({ message }) => !poller.isHidden(message.messageId))) return false;
  }
  return true;
}
