/** Requeues deliveries, callbacks and notifications whose message was lost. */
import type { Context, DataContext } from '#functions/data/context';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { outgoingAt } from '#functions/domain/deliveries/attempts';
import { MAX_DELAY_SECONDS, type Queue, sendAll } from '#functions/queues/queue';

export interface Requeued<Work, Message> {
  readonly dueOf: (work: Work, now: Date) => Date;
  /** Schedules the reconciliation's next check. @returns false if the work has changed meanwhile */
  readonly setNextCheckAt: (context: DataContext, work: Work, at: Date) => Promise<boolean>;
  readonly messageFor: (work: Work) => Message;
}

interface Found<Work> {
  readonly due: (context: DataContext, by: Date, limit: number) => Promise<readonly Work[]>;
  readonly open: (context: Context) => AsyncGenerator<readonly Work[]>;
}

export type RequeueContext<Message> = Context & { readonly queue: Queue<Message> };

const MAX_PER_RUN = 1_000;
/** The minimum time between two messages for the same work; it grows as the work gets overdue. */
const MIN_INTERVAL_MS = 10 * 60_000;

export const requeueDue = async <Work, Message>(
  context: RequeueContext<Message>,
  kind: Requeued<Work, Message> & Found<Work>,
): Promise<number> => requeue(context, await kind.due(context, context.runtime.now(), MAX_PER_RUN), kind);

/** For runtimes whose queues are lost at a restart: sends a message for all open work, no matter when it is due to be checked. */
export async function requeueOpen<Work, Message>(
  context: RequeueContext<Message>,
  kind: Requeued<Work, Message> & Found<Work>,
): Promise<number> {
  let count = 0;
  for await (const page of kind.open(context)) count += await requeue(context, page, kind);
  return count;
}

/**
 * Puts work on the queue again, and has the reconciliation check it after an interval that grows with its age: its message may still be
 * queued because the destination is busy.
 * @returns how many were put on the queue
 */
export async function requeue<Work, Message>(
  context: RequeueContext<Message>,
  works: readonly Work[],
  { dueOf, setNextCheckAt, messageFor }: Requeued<Work, Message>,
): Promise<number> {
  const now = context.runtime.now();
  const messages = await mapConcurrently(works, async (work) => {
    const due = dueOf(work, now);
    const waitMs = due.getTime() - now.getTime();
    // Work due later than a message's maximum delay is found again when it is overdue.
    if (waitMs > MAX_DELAY_SECONDS * 1000) return [];
    const nextCheckAt = new Date(now.getTime() + Math.max(MIN_INTERVAL_MS, -waitMs));
    if (waitMs <= 0 && !(await setNextCheckAt(context, work, nextCheckAt))) return [];
    return [outgoingAt(messageFor(work), due, now)];
  });
  await sendAll(context.queue, messages.flat());
  return messages.flat().length;
}
