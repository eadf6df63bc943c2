/** Leads that have to wait are requeued as a new message; failed batches are also found by the reconciliation. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { openTable } from '#functions/data/table/open-table';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { createDistribution } from '#functions/platform/distribution';
import { errorFields } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';
import { type DistributeMessage, distributeMessage } from '#functions/queues/messages';
import { sendAll } from '#functions/queues/queue';
import { createQueue, openQueues } from '#functions/queues/sqs';
import type { FunctionEnvironment } from '#functions/workers/distribute/environment';

export type DistributeHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

const WAIT_SECONDS = 5;

export function create(environment: FunctionEnvironment, runtime: Runtime): DistributeHandler {
  const distribution = createDistribution(environment, runtime, openTable(environment, runtime));
  const client = openQueues(environment, runtime);
  const queue = createQueue<DistributeMessage>(client, environment.DISTRIBUTE_QUEUE_URL, runtime.log);

  return async (event) => {
    const failed: string[] = [];
    for (const { body, messageId } of event.Records) {
      try {
        const { batch_id, absent } = distributeMessage.parse(JSON.parse(body));
        const done = await distributeBatch(distribution, batch_id, absent);
        if (done !== undefined && done.left > 0)
          await sendAll(queue, [{ message: { batch_id }, delay: WAIT_SECONDS }]);
        runtime.log.info('batch_distributed', { batch: batch_id, over: done === undefined, ...done });
      } catch (error) {
        runtime.log.error('distribute_failed', errorFields(error));
        failed.push(messageId);
      }
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}
