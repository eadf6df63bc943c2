/**
 * The outbox: the table's stream becomes messages. Stops at the first record whose messages a queue did not take and
 * names it, so that the stream comes back with everything from there; what was sent twice by that is harmless.
 */
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { DeliverMessage, NotifyMessage, RedistributeMessage } from '#functions/queues/messages';
import type { Queue } from '#functions/queues/queue';
import { createQueue, createSqsClient } from '#functions/queues/sqs';
import type { Runtime } from '#functions/runtime';
import { messagesOf } from '#functions/workers/outbox/changes';
import type { FunctionEnvironment } from '#functions/workers/outbox/environment';

export type OutboxHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

interface Queues {
  readonly deliver: Queue<DeliverMessage>;
  readonly notify: Queue<NotifyMessage>;
  readonly redistribute: Queue<RedistributeMessage>;
}

export function create(environment: FunctionEnvironment, runtime: Runtime): OutboxHandler {
  const client = createSqsClient(environment.SQS_ENDPOINT);
  return createOutbox(
    {
      deliver: createQueue(client, environment.DELIVER_QUEUE_URL),
      notify: createQueue(client, environment.NOTIFY_QUEUE_URL),
      redistribute: createQueue(client, environment.REDISTRIBUTE_QUEUE_URL),
    },
    runtime,
  );
}

export function createOutbox(queues: Queues, runtime: Pick<Runtime, 'log'>): OutboxHandler {
  return async (event) => {
    const messages = event.Records.map((record) =>
      messagesOf(record.dynamodb?.OldImage, record.dynamodb?.NewImage),
    );
    const failures = await Promise.all([
      sendOne(
        queues.deliver,
        messages.map(({ deliver }) => deliver),
      ),
      sendOne(
        queues.notify,
        messages.map(({ notify }) => notify),
      ),
      // One look at the backlog serves every change before it.
      sendOne(queues.redistribute, onlyLast(messages.map(({ redistribute }) => redistribute))),
    ]);
    const first = Math.min(...failures);
    const failed = event.Records[first];
    if (failed === undefined) return { batchItemFailures: [] };
    runtime.log.error('outbox: a queue did not take a message', {
      record: first,
      records: event.Records.length,
    });
    return { batchItemFailures: [{ itemIdentifier: sequenceNumber(failed) }] };
  };
}

/** @returns the index of the first record of which a message was not taken, Infinity if all were */
async function sendOne<Message>(
  queue: Queue<Message>,
  perRecord: readonly (readonly Message[])[],
): Promise<number> {
  const all = perRecord.flatMap((messages, record) => messages.map((message) => ({ message, record })));
  if (all.length === 0) return Number.POSITIVE_INFINITY;
  const taken = await queue.send(all.map(({ message }) => ({ message })));
  return Math.min(...all.map(({ record }, at) => (taken[at] === true ? Number.POSITIVE_INFINITY : record)));
}

function onlyLast<Message>(perRecord: readonly (readonly Message[])[]): readonly (readonly Message[])[] {
  const last = perRecord.findLastIndex((messages) => messages.length > 0);
  return perRecord.map((messages, record) => (record === last ? messages.slice(-1) : []));
}

function sequenceNumber(record: DynamoDBRecord): string {
  return record.dynamodb?.SequenceNumber ?? '';
}
