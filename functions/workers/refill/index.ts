/**
 * Distributes the backlog again after the pool has gained room. One run serves every message of a batch, because each
 * of them asks for the same look at the whole backlog; a run that runs out of time asks for another.
 */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createDistribution } from '#functions/distribution';
import { refill } from '#functions/domain/refill';
import { createTable } from '#functions/http/deps';
import { errorFields } from '#functions/logger';
import { type RefillMessage, refillMessage } from '#functions/queues/messages';
import { sendAll } from '#functions/queues/queue';
import { createQueue, createSqsClient } from '#functions/queues/sqs';
import type { Runtime } from '#functions/runtime';
import type { FunctionEnvironment } from '#functions/workers/refill/environment';

export type RefillHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Milliseconds; well within the function's timeout, so that no flight is cut off. */
export const RUN_TIME = 25_000;

export function create(environment: FunctionEnvironment, runtime: Runtime): RefillHandler {
  const distribution = createDistribution(environment, runtime, createTable(environment));
  const queue = createQueue<RefillMessage>(
    createSqsClient(environment.SQS_ENDPOINT),
    environment.REFILL_QUEUE_URL,
  );

  return async (event) => {
    try {
      const messages = event.Records.map(({ body }) => refillMessage.parse(JSON.parse(body)));
      const refilled = await refill(distribution, new Date(runtime.now().getTime() + RUN_TIME));
      const [message] = messages;
      if (refilled.more && message !== undefined) await sendAll(queue, [{ message }]);
      runtime.log.info('refilled', { ...refilled, messages: messages.length });
      return { batchItemFailures: [] };
    } catch (error) {
      runtime.log.error('refill_failed', errorFields(error));
      return { batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    }
  };
}
