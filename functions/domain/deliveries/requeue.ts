/** Queues deliveries again whose message was lost, or whose worker crashed before it had sent or reported them. */

import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import type { Delivery } from '#functions/data/leads/lead';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { dueAt, NOT_RECORDED } from '#functions/domain/deliveries/attempts';
import { messageFor } from '#functions/domain/deliveries/deliveries';
import { type RequeueContext as ContextOf, requeue } from '#functions/domain/deliveries/lost-messages';
import { resultOf } from '#functions/domain/deliveries/outgoing';
import type { DeliverMessage } from '#functions/queues/messages';

type RequeueContext = ContextOf<DeliverMessage>;

const OVERDUE_AFTER_MS = 2 * 60_000;
/** Before the first attempt: the message of a younger delivery is most likely still queued. */
const NOT_TRIED_AFTER_MS = 10 * 60_000;
const UNREPORTED_AFTER_MS = 2 * 60_000;
/** Of each kind. At a few milliseconds each the run ends well before its timeout. */
const MAX_PER_RUN = 2_000;

export async function requeueOverdueDeliveries(context: RequeueContext): Promise<number> {
  const now = context.runtime.now();
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const [overdue, notTried] = await Promise.all([
    deliveryStore.overdue(context, ago(OVERDUE_AFTER_MS), MAX_PER_RUN),
    deliveryStore.notTried(context, ago(NOT_TRIED_AFTER_MS), MAX_PER_RUN),
  ]);
  const lost = [...overdue, ...notTried].filter((delivery) => !isBeingSent(delivery, now));
  return (await requeueOf(context, lost)) + (await requeueUnreported(context, now));
}

async function requeueUnreported(context: RequeueContext, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UNREPORTED_AFTER_MS);
  const unreported = await deliveryStore.unreported(context, before, MAX_PER_RUN);
  return requeue(context, unreported, {
    dueOf: ({ updated_at }) => new Date(updated_at),
    setNextCheckAt: deliveryStore.setNextReportCheckAt,
    messageFor,
  });
}

/** For queues that are lost at a restart. @param alone no other process can be sending: an unfinished attempt has ended */
export async function requeueOpenDeliveries(context: RequeueContext, alone: boolean): Promise<number> {
  let count = 0;
  for await (const page of deliveryStore.open(context)) {
    const open = alone ? await mapConcurrently(page, (delivery) => endInterrupted(context, delivery)) : page;
    count += await requeueOf(context, open);
  }
  return count;
}

async function requeueOf(context: RequeueContext, deliveries: readonly Delivery[]): Promise<number> {
  const count = await requeue(context, deliveries, {
    dueOf: dueAt,
    setNextCheckAt: deliveryStore.setNextCheckAt,
    messageFor,
  });
  if (count > 0) context.runtime.log.warn('overdue deliveries requeued', { count });
  return count;
}

function isBeingSent({ sending_until }: Delivery, now: Date): boolean {
  return sending_until !== undefined && new Date(sending_until) > now;
}

const INTERRUPTED = { outcome: 'unknown', error: NOT_RECORDED, external_id: null } as const;

async function endInterrupted(context: RequeueContext, delivery: Delivery): Promise<Delivery> {
  const { table, runtime } = context;
  if (delivery.sending_until === undefined) return delivery;
  const now = runtime.now();
  const began = new Date(delivery.updated_at);
  const at = began < now ? began : now;
  const result = resultOf(delivery, INTERRUPTED, delivery.attempts, at, runtime.random());
  await sendingStore.finish({ table }, deliveryStore.DELIVERIES, delivery, result, now);
  return (await deliveryStore.get({ table }, delivery.lead_id, delivery.channel)) ?? delivery;
}
