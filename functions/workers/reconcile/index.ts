/**
 * Runs once a minute: finishes or undoes what a crash left incomplete, requeues overdue work, decides overdue claims,
 * erases old leads, seals the audit trail and packs the rows of the list of leads. Every ten minutes it looks for work that no event announced, and alerts
 * admins.
 */

import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { seriesBegan } from '#functions/data/deliveries/sending';
import { openTable } from '#functions/data/table/open-table';
import { poolWithWrittenWeights } from '#functions/domain/buyers/weights';
import { type Job, runDueJobs } from '#functions/domain/common/due-jobs';
import { requeueOpenDeliveries, requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import {
  requeueNotifications,
  requeueOpenNotifications,
} from '#functions/domain/deliveries/requeue-notifications';
import { redistribute } from '#functions/domain/distribution/backlog';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { requeueCallbacks, requeueOpenCallbacks } from '#functions/domain/sources/requeue-callbacks';
import { createKeyLoader } from '#functions/keys/keys';
import { createDistribution } from '#functions/platform/distribution';
import { createFingerprints } from '#functions/platform/fingerprints';
import type { Runtime } from '#functions/platform/runtime';
import type { CallbackMessage, NotifyMessage } from '#functions/queues/messages';
import { createDeliverQueue, createQueue, openQueues } from '#functions/queues/sqs';
import type { FunctionEnvironment } from '#functions/workers/reconcile/environment';

export interface ReconcileEvent {
  /** At the start of a runtime whose queues are not persistent: open work was left by an earlier process. */
  readonly startup?: boolean;
  /** At a start: no other process works on the table. */
  readonly alone?: boolean;
}
export type ReconcileHandler = (event: ReconcileEvent) => Promise<void>;

const MINUTE_MS = 60_000;
/** For jobs that look for work which an event should have announced. */
const OFTEN_MS = 10 * MINUTE_MS;
const HOURLY_MS = 60 * MINUTE_MS;
/** The next run continues with the backlog. */
const MAX_REDISTRIBUTION_MS = 10_000;

export function create(environment: FunctionEnvironment, runtime: Runtime): ReconcileHandler {
  const table = openTable(environment, runtime);
  const loadKeys = createKeyLoader(environment);
  const personKey = async () => (await loadKeys()).person;
  const distribution = createDistribution(environment, runtime, table, createFingerprints(personKey));
  const client = openQueues(environment, runtime);
  const { log } = runtime;
  const own = { table, runtime };
  const deliveries = { ...own, queue: createDeliverQueue(client, environment.DELIVER_QUEUE_URL, log) };
  const notifications = {
    ...own,
    queue: createQueue<NotifyMessage>(client, environment.NOTIFY_QUEUE_URL, log),
  };
  const callbacks = {
    ...own,
    queue: createQueue<CallbackMessage>(client, environment.CALLBACK_QUEUE_URL, log),
  };

  const alert = async (hourly: boolean) => {
    const { alertAdmins } = await import('#functions/workers/reconcile/alerts');
    return alertAdmins(table, runtime, hourly);
  };

  const jobs: readonly Job[] = [
    { name: 'weights', everyMs: OFTEN_MS, run: () => poolWithWrittenWeights(distribution).then(() => 0) },
    {
      name: 'renewed',
      everyMs: OFTEN_MS,
      run: async () => {
        const { renewOrders } = await import('#functions/domain/orders/renewal');
        return renewOrders(distribution);
      },
    },
    {
      // A lead that became pending while the backlog was being redistributed was missed, and no message announces it.
      name: 'assigned',
      everyMs: OFTEN_MS,
      run: async () =>
        (await redistribute(distribution, new Date(runtime.now().getTime() + MAX_REDISTRIBUTION_MS)))
          .assigned,
    },
    {
      name: 'unconfirmed_dropped',
      everyMs: HOURLY_MS,
      run: async () => {
        const { dropUnconfirmed } = await import('#functions/domain/leads/confirmation');
        return dropUnconfirmed({ ...own, personKey });
      },
    },
    { name: 'alerted_hourly', everyMs: HOURLY_MS, run: () => alert(true) },
    { name: 'alerted', everyMs: OFTEN_MS, run: () => alert(false) },
    {
      name: 'notifications',
      everyMs: OFTEN_MS,
      run: async () => {
        const { notifyBuyers } = await import('#functions/workers/reconcile/buyer-notifications');
        return notifyBuyers(table, runtime);
      },
    },
  ];

  return async ({ startup = false, alone = false }) => {
    const reconciled = await reconcile(distribution, startup ? 0 : undefined);
    const requeued = startup
      ? await requeueOpenDeliveries(deliveries, alone)
      : await requeueOverdueDeliveries(deliveries);
    const notified = await (startup
      ? requeueOpenNotifications(notifications)
      : requeueNotifications(notifications));
    const calledBack = await (startup ? requeueOpenCallbacks(callbacks) : requeueCallbacks(callbacks));
    const { decideOverdue } = await import('#functions/workers/reconcile/overdue-claims');
    const decided = await decideOverdue(distribution, table);
    const { did, failed } = await runDueJobs({ table, runtime }, jobs, startup);
    const { eraseDue } = await import('#functions/workers/reconcile/erasures');
    const erased = await eraseDue(environment, runtime, table);
    const waiting = await deliveryStore.waitingLongest(deliveries);
    const ageMs =
      waiting === undefined ? 0 : runtime.now().getTime() - new Date(seriesBegan(waiting)).getTime();
    runtime.metrics.record('OldestDeliverySeconds', Math.round(ageMs / 1000), {});
    runtime.metrics.record('LeadsRepaired', reconciled.resumed + reconciled.reservationsReleased, {});
    runtime.log.info('reconciled', {
      ...reconciled,
      requeued,
      notified,
      called_back: calledBack,
      claims_decided: decided,
      ...erased,
      ...did,
    });
    const { sealAndSend } = await import('#functions/workers/reconcile/audit-checkpoints');
    await sealAndSend(environment, table, runtime);
    const { packLeadRows } = await import('#functions/domain/statistics/lead-row-packing');
    await packLeadRows({ table, runtime });
    // An alarm watches failed runs.
    if (failed.length > 0) throw new Error(`Failed jobs: ${failed.join(', ')}`);
  };
}
