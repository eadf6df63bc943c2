/** Delivers leads to buyers: one message is one delivery attempt. Only a message that failed returns to the queue. */

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createChannels } from '#functions/channels/channels';
import { createAlertStore } from '#functions/data/alerts/alert-store';
import { createAddressStore } from '#functions/data/deliveries/address-store';
import { createCircuits } from '#functions/data/deliveries/circuits';
import { createDedupMarkers } from '#functions/data/deliveries/dedup-markers';
import { createDeliveryRepository } from '#functions/data/deliveries/delivery-store';
import { createDestinationLeases } from '#functions/data/deliveries/destination-leases';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import { createPayloadLoader } from '#functions/data/deliveries/payloads';
import { openTable } from '#functions/data/table/open-table';
import { tell } from '#functions/domain/alerts/alerts';
import { type DeliverDeps, deliver } from '#functions/domain/deliveries/deliveries';
import { createKeyLoader } from '#functions/keys/keys';
import { deliverMessage } from '#functions/queues/messages';
import { createDeliverQueue, createQueue, openQueues } from '#functions/queues/sqs';
import { forEachMessage } from '#functions/queues/worker';
import { remembered } from '#functions/remembered';
import type { Runtime } from '#functions/runtime';
import { createConcurrencyLimiter } from '#functions/workers/deliver/concurrency-limiter';
import type { FunctionEnvironment } from '#functions/workers/deliver/environment';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = openTable(environment, runtime);
  const client = openQueues(environment, runtime);
  const loadKeys = createKeyLoader(environment, runtime.log);
  const leases =
    environment.LEASES_PER_DESTINATION === undefined ? undefined : Number(environment.LEASES_PER_DESTINATION);
  const alerts = {
    table,
    alerts: createAlertStore(table),
    notices: createNoticeStore(table),
    runtime,
  };
  const loadGiveOn = remembered(async () => {
    const { createGiveOn } = await import('#functions/give-on');
    return createGiveOn(table, runtime);
  });
  const wire = remembered(
    async (): Promise<DeliverDeps> => ({
      deliveries: createDeliveryRepository(table),
      payloads: createPayloadLoader(table),
      channels: createChannels(environment, (await loadKeys()).cipher, runtime),
      circuits: createCircuits(table),
      dedupMarkers: createDedupMarkers(table),
      queue: createDeliverQueue(client, environment.DELIVER_QUEUE_URL, runtime.log),
      deadLetters:
        environment.DELIVER_DLQ_URL === undefined
          ? null
          : createQueue(client, environment.DELIVER_DLQ_URL, runtime.log),
      giveOn: async (refused) => (await loadGiveOn())(refused),
      tellOperator: (title, text) => tell(alerts, 'delivery_failing', { title, lines: text.split('\n') }),
      addresses: createAddressStore(table, async () => (await loadKeys()).person),
      limiter: createConcurrencyLimiter(createDestinationLeases(table, leases), runtime),
      runtime,
    }),
  );

  return async (event) => {
    const ready = await wire();
    return forEachMessage(event, deliverMessage, runtime.log, (message) => deliver(ready, message));
  };
}
