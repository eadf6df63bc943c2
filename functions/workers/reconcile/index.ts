/**
 * Reconciliation, once a minute: finishes or undoes what a crash left half done, and puts overdue deliveries on the
 * queue again.
 */

import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createDeliveryRepository, roundBegan } from '#functions/data/deliveries/delivery-store';
import { openTable } from '#functions/data/table/open-table';
import { createDistribution } from '#functions/distribution';
import { writeZeros } from '#functions/domain/buyers/weights';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/deliveries';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import type { DeliverMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';
import type { Runtime } from '#functions/runtime';
import type { FunctionEnvironment } from '#functions/workers/reconcile/environment';

/** `startup`: nothing else runs yet, so everything in flight or being sent was left by a process that has ended. */
export type ReconcileHandler = (event: { readonly startup?: boolean }) => Promise<void>;

/** Between two checks of every buyer's recent deliveries. */
const FULL_CHECK_MINUTES = 10;

export function create(environment: FunctionEnvironment, runtime: Runtime): ReconcileHandler {
  const table = openTable(environment, runtime);
  const distribution = createDistribution(environment, runtime, table);
  const buyers = createBuyerStore(table);
  const deliveries = {
    deliveries: createDeliveryRepository(table),
    queue: createQueue<DeliverMessage>(openQueues(environment, runtime), environment.DELIVER_QUEUE_URL),
    runtime,
  };

  return async ({ startup }) => {
    const alone = startup === true;
    const reconciled = await reconcile(distribution, alone ? 0 : undefined);
    const fullCheck = alone || runtime.now().getUTCMinutes() % FULL_CHECK_MINUTES === 0;
    if (fullCheck) await writeZeros({ ...distribution, buyers });
    const { entries: poolEntries } = fullCheck ? await distribution.pool.read() : { entries: [] };
    const requeued = await requeueOverdueDeliveries(
      deliveries,
      poolEntries.map(({ buyer }) => buyer),
      alone,
    );
    const waiting = await deliveries.deliveries.waitingLongest();
    const ageMs =
      waiting === undefined ? 0 : runtime.now().getTime() - new Date(roundBegan(waiting)).getTime();
    runtime.metrics.record('OldestDeliverySeconds', Math.round(ageMs / 1000), {});
    runtime.metrics.record('LeadsRepaired', reconciled.resumed + reconciled.reservationsReleased, {});
    runtime.log.info('reconciled', { ...reconciled, requeued });
  };
}
