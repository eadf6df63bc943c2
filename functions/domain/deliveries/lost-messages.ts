/** Finds work whose message was lost, deliveries, callbacks and notices alike, and puts it on the queue again. */
import type { Context, DataContext } from '#functions/data/context';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { outgoingAt } from '#functions/domain/deliveries/attempts';
import { MAX_DELAY_SECONDS, type Queue, sendAll } from '#functions/queues/queue';

/** How one kind of work is found whose message was lost. */
export interface Requeued<Work, Message> {
  readonly dueOf: (work: Work, now: Date) => Date;
  /** Has the reconciliation look at it at an instant and not before. False where it has changed meanwhile. */
  readonly recheckAt: (context: DataContext, work: Work, at: Date) => Promise<boolean>;
  readonly messageFor: (work: Work) => Message;
}

interface Found<Work> {
  /** What is to be looked at by an instant, the oldest first. */
  readonly toLookAt: (context: DataContext, by: Date, limit: number) => Promise<readonly Work[]>;
  /** Every one that is open. */
  readonly open: (context: Context) => AsyncGenerator<readonly Work[]>;
}

export type RequeueContext<Message> = Context & { readonly queue: Queue<Message> };

const MAX_PER_RUN = 1_000;
/** A message on the queue is given so long before the next one is sent, and later as long as its work is overdue. */
const MIN_INTERVAL_MS = 10 * 60_000;

/** Called by the reconciliation, every minute. @returns how many were put on the queue */
export const requeueDue = async <Work, Message>(
  context: RequeueContext<Message>,
  kind: Requeued<Work, Message> & Found<Work>,
): Promise<number> =>
  requeue(context, await kind.toLookAt(context, context.runtime.now(), MAX_PER_RUN), kind);

/**
 * Called when a runtime starts whose queues keep nothing: everything that is open gets a message, also what an earlier start
 * has looked at.
 */
export async function requeueOpen<Work, Message>(
  context: RequeueContext<Message>,
  kind: Requeued<Work, Message> & Found<Work>,
): Promise<number> {
  let count = 0;
  for await (const page of kind.open(context)) count += await requeue(context, page, kind);
  return count;
}

/**
 * Puts work on the queue again whose message was lost, or whose worker crashed, and has the reconciliation look at it once
 * more after an interval that grows with its age: its message may still be in the queue, because the destination is busy.
 * @returns how many were put on the queue
 */
export async function requeue<Work, Message>(
  context: RequeueContext<Message>,
  works: readonly Work[],
  { dueOf, recheckAt, messageFor }: Requeued<Work, Message>,
): Promise<number> {
  const now = context.runtime.now();
  const messages = await mapConcurrently(works, async (work) => {
    const due = dueOf(work, now);
    const waitMs = due.getTime() - now.getTime();
    // What is due later than a message can wait is found when it is overdue.
    if (waitMs > MAX_DELAY_SECONDS * 1000) return [];
    const look = new Date(now.getTime() + Math.max(MIN_INTERVAL_MS, -waitMs));
    if (waitMs <= 0 && !(await recheckAt(context, work, look))) return [];
    return [outgoingAt(messageFor(work), due, now)];
  });
  await sendAll(context.queue, messages.flat());
  return messages.flat().length;
}
