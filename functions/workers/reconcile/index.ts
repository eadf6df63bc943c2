/**
 * Every minute: finishes or undoes what a crash left half done, and puts deliveries back on the queue that should have
 * been tried by now.
 */

import { createDeliveryRepository, roundBegan } from '#functions/data/deliveries/delivery-store';
import { openTable } from '#functions/data/table/open-table';
import { createDistribution } from '#functions/distribution';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/deliveries';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import type { DeliverMessage } from '#functions/queues/messages';
import { createQueue, createSqsClient } from '#functions/queues/sqs';
import type { Runtime } from '#functions/runtime';
import type { FunctionEnvironment } from '#functions/workers/reconcile/environment';

/** `startup` says that nothing else runs yet: what is in flight or on its way was left by a process that is gone. */
export type ReconcileHandler = (event: { readonly startup?: boolean }) => Promise<void>;

/** Minutes between looks at every buyer's recent deliveries. */
const THOROUGH_EVERY = 10;

export function create(environment: FunctionEnvironment, runtime: Runtime): ReconcileHandler {
  const table = openTable(environment);
  const distribution = createDistribution(environment, runtime, table);
  const deliveries = {
    deliveries: createDeliveryRepository(table),
    queue: createQueue<DeliverMessage>(
      createSqsClient(environment.SQS_ENDPOINT),
      environment.DELIVER_QUEUE_URL,
    ),
    runtime,
  };

  return async ({ startup }) => {
    const alone = startup === true;
    const reconciled = await reconcile(distribution, alone ? 0 : undefined);
    const thorough = alone || runtime.now().getUTCMinutes() % THOROUGH_EVERY === 0;
    const { entries: poolEntries } = thorough ? await distribution.pool.read() : { entries: [] };
    const requeued = await requeueOverdueDeliveries(
      deliveries,
      poolEntries.map(({ buyer }) => buyer),
      alone,
    );
    const waiting = await deliveries.deliveries.waitingLongest();
    const age = waiting === undefined ? 0 : runtime.now().getTime() - new Date(roundBegan(waiting)).getTime();
    runtime.metrics.record('OldestDeliverySeconds', Math.round(age / 1000), {});
    runtime.metrics.record('LeadsRepaired', reconciled.resumed + reconciled.reservationsReleased, {});
    runtime.log.info('reconciled', { ...reconciled, requeued });
  };
}
