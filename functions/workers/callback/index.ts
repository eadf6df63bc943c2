/** Calls sources back: one message is one attempt. Only a message that failed returns to the queue. */

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createCallbackSender } from '#functions/channels/callback';
import { createPartnerHttp } from '#functions/channels/partner-http';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createEndpointCircuits } from '#functions/data/deliveries/circuits';
import { createDedupMarkers } from '#functions/data/deliveries/dedup-markers';
import { createDestinationLeases } from '#functions/data/deliveries/destination-leases';
import { createCallbackStore } from '#functions/data/sources/callback-store';
import { createEndpointStore } from '#functions/data/sources/endpoints';
import { createSourceStore } from '#functions/data/sources/source-store';
import { openTable } from '#functions/data/table/open-table';
import { type CallBackDeps, callBack } from '#functions/domain/sources/callbacks';
import { createKeyLoader } from '#functions/keys/keys';
import { createOperator } from '#functions/operator/operator';
import { callbackMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';
import { forEachMessage } from '#functions/queues/worker';
import { remembered } from '#functions/remembered';
import type { Runtime } from '#functions/runtime';
import type { FunctionEnvironment } from '#functions/workers/callback/environment';
import { createConcurrencyLimiter } from '#functions/workers/deliver/concurrency-limiter';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = openTable(environment, runtime);
  const client = openQueues(environment, runtime);
  const loadKeys = createKeyLoader(environment, runtime.log);
  const leases =
    environment.LEASES_PER_DESTINATION === undefined ? undefined : Number(environment.LEASES_PER_DESTINATION);
  const http = createPartnerHttp(environment, runtime);
  const wire = remembered(
    async (): Promise<CallBackDeps> => ({
      callbacks: createCallbackStore(table),
      endpoints: createEndpointStore(table),
      sources: createSourceStore(table),
      buyers: createBuyerStore(table),
      circuits: createEndpointCircuits(table),
      dedupMarkers: createDedupMarkers(table),
      queue: createQueue(client, environment.CALLBACK_QUEUE_URL, runtime.log),
      send: createCallbackSender({ http, cipher: (await loadKeys()).cipher, runtime }),
      tellOperator: createOperator(environment, runtime.log),
      limiter: createConcurrencyLimiter(createDestinationLeases(table, leases), runtime),
      runtime,
    }),
  );

  return async (event) => {
    const ready = await wire();
    return forEachMessage(event, callbackMessage, runtime.log, (message) => callBack(ready, message));
  };
}
