/**
 * Reconciliation, once a minute: finishes or undoes what a crash left half done, and puts overdue deliveries, notices and
 * callbacks on their queues again, decides claims whose deadline is over, erases leads that are old enough, alerts admins, seals the
 * audit trail, and sends what it sealed outside once a day.
 */

import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createDeliveryRepository } from '#functions/data/deliveries/delivery-store';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import { roundBegan } from '#functions/data/deliveries/sending';
import { createCallbackStore } from '#functions/data/sources/callback-store';
import { openTable } from '#functions/data/table/open-table';
import { createDistribution } from '#functions/distribution';
import { writeWeights } from '#functions/domain/buyers/weights';
import { requeueOpenDeliveries, requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import { requeueNotices, requeueOpenNotices } from '#functions/domain/deliveries/requeue-notices';
import { redistribute } from '#functions/domain/distribution/backlog';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { requeueCallbacks, requeueOpenCallbacks } from '#functions/domain/sources/requeue-callbacks';
import type { CallbackMessage, DeliverMessage, NotifyMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';
import type { Runtime } from '#functions/runtime';
import type { FunctionEnvironment } from '#functions/workers/reconcile/environment';

export interface ReconcileEvent {
  /** At the start of a runtime whose queues keep nothing: what is in flight or open was left by an earlier process. */
  readonly startup?: boolean;
  /** At a start: no other process works on the table. */
  readonly alone?: boolean;
}
export type ReconcileHandler = (event: ReconcileEvent) => Promise<void>;

/** Between two checks for weights that are still to be written, for a backlog that an order could take, and for alerts. */
const FULL_CHECK_MINUTES = 10;
/** Of a run, at most; what is left of the backlog is for the next one. */
const MAX_REDISTRIBUTION_MS = 10_000;

export function create(environment: FunctionEnvironment, runtime: Runtime): ReconcileHandler {
  const table = openTable(environment, runtime);
  const distribution = createDistribution(environment, runtime, table);
  const buyers = createBuyerStore(table);
  const client = openQueues(environment, runtime);
  const deliveries = {
    deliveries: createDeliveryRepository(table),
    queue: createQueue<DeliverMessage>(client, environment.DELIVER_QUEUE_URL, runtime.log),
    runtime,
  };
  const notices = {
    notices: createNoticeStore(table),
    queue: createQueue<NotifyMessage>(client, environment.NOTIFY_QUEUE_URL, runtime.log),
    runtime,
  };
  const callbacks = {
    callbacks: createCallbackStore(table),
    queue: createQueue<CallbackMessage>(client, environment.CALLBACK_QUEUE_URL, runtime.log),
    runtime,
  };

  return async ({ startup = false, alone = false }) => {
    const reconciled = await reconcile(distribution, startup ? 0 : undefined);
    const fullCheck = startup || runtime.now().getUTCMinutes() % FULL_CHECK_MINUTES === 0;
    if (fullCheck) await writeWeights({ ...distribution, buyers });
    const renewal = fullCheck ? await import('#functions/domain/orders/renewal') : undefined;
    const renewed = (await renewal?.renewOrders({ ...distribution, buyers, notices: notices.notices })) ?? 0;
    // A lead that became pending while the backlog was redistributed was not in it yet, and no message will come for it.
    const { assigned } = fullCheck
      ? await redistribute(distribution, new Date(runtime.now().getTime() + MAX_REDISTRIBUTION_MS))
      : { assigned: 0 };
    const requeued = startup
      ? await requeueOpenDeliveries(deliveries, alone)
      : await requeueOverdueDeliveries(deliveries);
    const notified = await (startup ? requeueOpenNotices(notices) : requeueNotices(notices));
    const calledBack = await (startup ? requeueOpenCallbacks(callbacks) : requeueCallbacks(callbacks));
    const { decideOverdue } = await import('#functions/workers/reconcile/overdue-claims');
    const decided = await decideOverdue(distribution, table);
    const minute = runtime.now().getUTCMinutes();
    const alerts = fullCheck ? await import('#functions/workers/reconcile/alerts') : undefined;
    const alerted = (await alerts?.alertAdmins(table, runtime, startup || minute < FULL_CHECK_MINUTES)) ?? 0;
    const letters = fullCheck ? await import('#functions/workers/reconcile/news') : undefined;
    const news = (await letters?.tellBuyers(table, runtime)) ?? 0;
    const { eraseDue } = await import('#functions/workers/reconcile/erasures');
    const erased = await eraseDue(environment, runtime, table);
    const waiting = await deliveries.deliveries.waitingLongest();
    const ageMs =
      waiting === undefined ? 0 : runtime.now().getTime() - new Date(roundBegan(waiting)).getTime();
    runtime.metrics.record('OldestDeliverySeconds', Math.round(ageMs / 1000), {});
    runtime.metrics.record('LeadsRepaired', reconciled.resumed + reconciled.reservationsReleased, {});
    runtime.log.info('reconciled', {
      ...reconciled,
      assigned,
      renewed,
      requeued,
      notified,
      called_back: calledBack,
      claims_decided: decided,
      ...erased,
      alerted,
      news,
    });
    const { sealAndSend } = await import('#functions/workers/reconcile/audit-heads');
    await sealAndSend(environment, table, runtime);
  };
}
