/**
 * Redistributes the backlog after a buyer gained capacity, distributes refused leads, and renews full orders. One run
 * covers all messages of a batch and starts at the earliest position named. At its time limit it sends a message to
 * continue.
 */

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { openTable } from '#functions/data/table/open-table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { redistributeRefused } from '#functions/domain/distribution/reconciliation';
import { renewOrder } from '#functions/domain/orders/renewal';
import { createKeyLoader } from '#functions/keys/keys';
import { createDistribution } from '#functions/platform/distribution';
import { createFingerprints } from '#functions/platform/fingerprints';
import { errorFields } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';
import { isBacklog, type RedistributeMessage, redistributeMessage } from '#functions/queues/messages';
import { sendAll } from '#functions/queues/queue';
import { createQueue, openQueues } from '#functions/queues/sqs';
import type { FunctionEnvironment } from '#functions/workers/redistribute/environment';

export type RedistributeHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Well below the function's timeout, so that no distribution attempt is interrupted. */
export const MAX_RUN_MS = 25_000;

export function create(environment: FunctionEnvironment, runtime: Runtime): RedistributeHandler {
  const table = openTable(environment, runtime);
  const loadKeys = createKeyLoader(environment);
  const fingerprints = createFingerprints(async () => (await loadKeys()).person);
  const distribution = createDistribution(environment, runtime, table, fingerprints);
  const renewal = distribution;
  const queue = createQueue<RedistributeMessage>(
    openQueues(environment, runtime),
    environment.REDISTRIBUTE_QUEUE_URL,
    runtime.log,
  );

  return async (event) => {
    try {
      const messages = event.Records.map(({ body }) => redistributeMessage.parse(JSON.parse(body)));
      for (const { reassigned } of messages)
        if (reassigned !== undefined)
          await redistributeRefused(distribution, reassigned.lead_id, reassigned.distribution_attempt);
      for (const { buyer, full } of messages) if (full === true) await renewOrder(renewal, buyer);
      const ofBacklog = messages.filter(isBacklog);
      const [first] = ofBacklog.toSorted((one, other) =>
        (one.last?.received_at ?? '').localeCompare(other.last?.received_at ?? ''),
      );
      if (first === undefined) return { batchItemFailures: [] };
      const deadline = new Date(runtime.now().getTime() + MAX_RUN_MS);
      const { assigned, more, last } = await redistribute(distribution, deadline, first.last);
      if (more) await sendAll(queue, [{ message: { ...first, ...(last && { last }) } }]);
      runtime.log.info('redistributed', { assigned, more, messages: ofBacklog.length });
      return { batchItemFailures: [] };
    } catch (error) {
      runtime.log.error('redistribute_failed', errorFields(error));
      return { batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    }
  };
}
