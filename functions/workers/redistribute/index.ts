/**
 * Distributes the backlog again after the pool has gained room. One run serves every message of a batch, because each
 * of them asks for the same look at the backlog, from where the earliest of them says; a run that runs out of time asks
 * for another that goes on after it.
 */

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { openTable } from '#functions/data/table/open-table';
import { createDistribution } from '#functions/distribution';
import { redistribute } from '#functions/domain/distribution/backlog';
import { errorFields } from '#functions/logger';
import { type RedistributeMessage, redistributeMessage } from '#functions/queues/messages';
import { sendAll } from '#functions/queues/queue';
import { createQueue, createSqsClient } from '#functions/queues/sqs';
import type { Runtime } from '#functions/runtime';
import type { FunctionEnvironment } from '#functions/workers/redistribute/environment';

export type RedistributeHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Milliseconds; well within the function's timeout, so that no distribution attempt is cut off. */
export const RUN_TIME = 25_000;

export function create(environment: FunctionEnvironment, runtime: Runtime): RedistributeHandler {
  const distribution = createDistribution(environment, runtime, openTable(environment));
  const queue = createQueue<RedistributeMessage>(
    createSqsClient(environment.SQS_ENDPOINT),
    environment.REDISTRIBUTE_QUEUE_URL,
  );

  return async (event) => {
    try {
      const messages = event.Records.map(({ body }) => redistributeMessage.parse(JSON.parse(body)));
      const [first] = messages.toSorted((one, other) =>
        (one.last?.received_at ?? '').localeCompare(other.last?.received_at ?? ''),
      );
      if (first === undefined) return { batchItemFailures: [] };
      const deadline = new Date(runtime.now().getTime() + RUN_TIME);
      const { assigned, more, last } = await redistribute(distribution, deadline, first.last);
      if (more) await sendAll(queue, [{ message: { ...first, ...(last && { last }) } }]);
      runtime.log.info('redistributed', { assigned, more, messages: messages.length });
      return { batchItemFailures: [] };
    } catch (error) {
      runtime.log.error('redistribute_failed', errorFields(error));
      return { batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    }
  };
}
