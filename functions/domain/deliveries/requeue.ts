/** Puts deliveries back on the queue whose message was lost, or whose worker crashed before it had sent or reported them. */

import type { Context, DataContext } from '#functions/data/context';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import type { Delivery } from '#functions/data/leads/lead';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { dueAt, outgoingAt } from '#functions/domain/deliveries/attempts';
import { type DeliverContext, messageFor, resultOf } from '#functions/domain/deliveries/deliveries';
import type { DeliverMessage } from '#functions/queues/messages';
import { MAX_DELAY_SECONDS, type Outgoing, sendAll } from '#functions/queues/queue';

type RequeueContext = Context & Pick<DeliverContext, 'queue'>;

/** A delivery is overdue so long after its next attempt was due. */
const OVERDUE_AFTER_MS = 2 * 60_000;
/** The same before the first attempt: the message of a younger delivery is most likely still in the queue. */
const NOT_TRIED_AFTER_MS = 10 * 60_000;
/** The operator is told of a failure within this time, unless the worker that recorded it crashed. */
const UNREPORTED_AFTER_MS = 2 * 60_000;
/** Between two messages about an unreported failure, at least; later as long as the failure is old. */
const MIN_REPORT_INTERVAL_MS = 10 * 60_000;
/** Of each kind. With a few milliseconds for each the run ends well within its function's time. */
const MAX_PER_RUN = 2_000;

/**
 * Called by the reconciliation, every minute: finds overdue deliveries of all buyers by a few queries, whatever became of the
 * buyers and however many deliveries there are, and by one more the failures that the operator was not told of.
 * @returns how many were put on the queue
 */
export async function requeueOverdueDeliveries(context: RequeueContext): Promise<number> {
  const now = context.runtime.now();
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const [overdue, notTried] = await Promise.all([
    deliveryStore.overdue(context, ago(OVERDUE_AFTER_MS), MAX_PER_RUN),
    deliveryStore.notTried(context, ago(NOT_TRIED_AFTER_MS), MAX_PER_RUN),
  ]);
  const lost = [...overdue, ...notTried].filter((delivery) => !isBeingSent(delivery, now));
  return (await requeue(context, lost, now)) + (await requeueUnreported(context, now));
}

/** The worker that receives the message tells the operator. */
async function requeueUnreported(context: RequeueContext, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UNREPORTED_AFTER_MS);
  const unreported = await deliveryStore.unreported(context, before, MAX_PER_RUN);
  const messages = await mapConcurrently(unreported, async (delivery) => {
    const failedAt = new Date(delivery.updated_at);
    const wait = Math.max(MIN_REPORT_INTERVAL_MS, now.getTime() - failedAt.getTime());
    const open = await deliveryStore.recheckReportAt(context, delivery, new Date(now.getTime() + wait));
    return open ? [{ message: messageFor(delivery, delivery.attempt_count) }] : [];
  });
  await sendAll(context.queue, messages.flat());
  return messages.flat().length;
}

/**
 * Called when a runtime starts whose queues keep nothing: every open delivery gets a message, also one that an earlier start
 * has looked at. What is due, or was before the earlier process ended, is sent at once.
 * @param alone true when no other process can be sending: a delivery attempt that has not ended then never will, and
 *   counts as one with an unknown outcome
 * @returns how many were put on the queue
 */
export async function requeueOpenDeliveries(context: RequeueContext, alone: boolean): Promise<number> {
  let count = 0;
  for await (const page of deliveryStore.open(context)) {
    const open = alone ? await mapConcurrently(page, (delivery) => endInterrupted(context, delivery)) : page;
    count += await requeue(context, open, context.runtime.now());
  }
  return count;
}

/** Puts deliveries on the queue and has the reconciliation look at them again after a growing interval. */
async function requeue(context: RequeueContext, deliveries: readonly Delivery[], now: Date): Promise<number> {
  const messages = await mapConcurrently(deliveries, async (delivery) => {
    const due = dueAt(delivery, now);
    // One that is due later than a message can wait is found when it is overdue.
    if (due.getTime() - now.getTime() > MAX_DELAY_SECONDS * 1000) return undefined;
    if (due <= now && !(await recheckLater(context, delivery, due, now))) return undefined;
    return outgoingAt(messageFor(delivery, delivery.attempt_count), due, now);
  });
  const outgoing = messages.filter((message): message is Outgoing<DeliverMessage> => message !== undefined);
  if (outgoing.length === 0) return 0;
  context.runtime.log.warn('overdue deliveries put back on the queue', { count: outgoing.length });
  await sendAll(context.queue, outgoing);
  return outgoing.length;
}

/** Its message may still be in the queue, because the destination is busy: hence an interval that grows with its age. */
function recheckLater(context: DataContext, delivery: Delivery, due: Date, now: Date): Promise<boolean> {
  const wait = Math.max(NOT_TRIED_AFTER_MS, now.getTime() - due.getTime());
  return deliveryStore.recheckAt(context, delivery, new Date(now.getTime() + wait));
}

function isBeingSent({ sending_until }: Delivery, now: Date): boolean {
  return sending_until !== undefined && new Date(sending_until) > now;
}

const INTERRUPTED = { outcome: 'unknown', error: 'The outcome was not recorded', external_id: null } as const;

/** @returns the delivery as it is then */
async function endInterrupted(context: RequeueContext, delivery: Delivery): Promise<Delivery> {
  const { table, runtime } = context;
  if (delivery.sending_until === undefined) return delivery;
  const now = runtime.now();
  const began = new Date(delivery.updated_at);
  const at = began < now ? began : now;
  const result = resultOf(delivery, INTERRUPTED, delivery.attempts, at, runtime.random());
  await deliveryStore.finish({ table }, delivery, result, now);
  return (await deliveryStore.get({ table }, delivery.lead_id, delivery.channel)) ?? delivery;
}
