/** Sends leads to buyers, one message for each try. Every message stands for itself: one that fails comes back alone. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createChannels } from '#functions/channels/channels';
import { createCircuits } from '#functions/data/circuits';
import { createDeliveryRepository } from '#functions/data/deliveries';
import { createDestinations } from '#functions/data/destinations';
import { createNotices } from '#functions/data/notices';
import { createShipments } from '#functions/data/shipments';
import { Table } from '#functions/data/table';
import { type DeliverDeps, deliver } from '#functions/domain/deliveries';
import { createKeyLoader } from '#functions/keys/keys';
import { createOperator } from '#functions/operator/operator';
import { deliverMessage } from '#functions/queues/messages';
import { createQueue, createSqsClient } from '#functions/queues/sqs';
import { forEachMessage } from '#functions/queues/worker';
import { remembered } from '#functions/remembered';
import type { Runtime } from '#functions/runtime';
import type { FunctionEnvironment } from '#functions/workers/deliver/environment';
import { createPace } from '#functions/workers/deliver/pace';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = new Table({ name: environment.TABLE_NAME, endpoint: environment.DYNAMODB_ENDPOINT });
  const client = createSqsClient(environment.SQS_ENDPOINT);
  const loadKeys = createKeyLoader(environment);
  const wire = remembered(
    async (): Promise<DeliverDeps> => ({
      deliveries: createDeliveryRepository(table),
      shipments: createShipments(table),
      channels: createChannels(environment, (await loadKeys()).cipher),
      circuits: createCircuits(table),
      notices: createNotices(table),
      queue: createQueue(client, environment.DELIVER_QUEUE_URL),
      deadLetters:
        environment.DELIVER_DLQ_URL === undefined ? null : createQueue(client, environment.DELIVER_DLQ_URL),
      tellOperator: createOperator(environment, runtime.log),
      pace: createPace(createDestinations(table), runtime),
      runtime,
    }),
  );

  return async (event) => {
    const ready = await wire();
    return forEachMessage(event, deliverMessage, runtime.log, (message) => deliver(ready, message));
  };
}
