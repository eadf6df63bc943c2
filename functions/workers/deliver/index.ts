import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createChannels } from '#functions/channels/channels';
import { openTable } from '#functions/data/table/open-table';
import { notify } from '#functions/domain/alerts/alerts';
import { type DeliverContext, deliver } from '#functions/domain/deliveries/deliveries';
import { createKeyLoader } from '#functions/keys/keys';
import { memoize } from '#functions/platform/memoize';
import type { Runtime } from '#functions/platform/runtime';
import { deliverMessage } from '#functions/queues/messages';
import { createDeliverQueue, createQueue, openQueues } from '#functions/queues/sqs';
import { forEachMessage } from '#functions/queues/worker';
import { limiterOf } from '#functions/workers/deliver/concurrency-limiter';
import type { FunctionEnvironment } from '#functions/workers/deliver/environment';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = openTable(environment, runtime);
  const client = openQueues(environment, runtime);
  const loadKeys = createKeyLoader(environment, runtime.log);
  const { DELIVER_DLQ_URL: deadLetters } = environment;
  const alerts = { table, runtime };
  const loadReassign = memoize(async () => {
    const { createReassign } = await import('#functions/workers/deliver/reassign');
    return createReassign(table, runtime);
  });
  const wire = memoize(
    async (): Promise<DeliverContext> => ({
      table,
      channels: createChannels(environment, (await loadKeys()).cipher, runtime),
      queue: createDeliverQueue(client, environment.DELIVER_QUEUE_URL, runtime.log),
      deadLetters: deadLetters === undefined ? null : createQueue(client, deadLetters, runtime.log),
      reassign: async (refused) => (await loadReassign())(refused),
      notifyOperator: (title, text) => notify(alerts, 'delivery_failing', { title, lines: text.split('\n') }),
      personKey: async () => (await loadKeys()).person,
      limiter: limiterOf(environment, table, runtime),
      runtime,
    }),
  );

  return async (event) => {
    const ready = await wire();
    return forEachMessage(event, deliverMessage, runtime.log, (message) => deliver(ready, message));
  };
}
