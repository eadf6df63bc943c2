/** Handles queues and the stream like Lambda, but only on request. */
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, SQSBatchResponse, SQSEvent } from 'aws-lambda';

type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/**
 * Handles one batch of the available messages.
 * @returns the number of messages, and how many failed
 */
export async function receiveOnce(
  client: SQSClient,
  url: string,
  handler: QueueHandler,
): Promise<{ received: number; failed: number }> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 }),
  );
  if (Messages.length === 0) return { received: 0, failed: 0 };
  const answer = await handler({
    Records: Messages.map(({ MessageId, Body }) => ({ messageId: MessageId, body: Body })),
  } as SQSEvent);
  const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  for (const { MessageId, ReceiptHandle } of Messages)
    if (!failed.has(MessageId ?? ''))
      await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
  return { received: Messages.length, failed: failed.size };
}

/** Handles batches until no message is available; delayed messages stay. */
export async function drain(client: SQSClient, url: string, handler: QueueHandler): Promise<number> {
  let handled = 0;
  for (;;) {
    const { received } = await receiveOnce(client, url, handler);
    if (received === 0) return handled;
    handled += received;
  }
}

const image = (item: object) => marshall(item, { removeUndefinedValues: true });

/** A table change as a stream record. */
export function streamRecord(
  before: object | undefined,
  after: object | undefined,
  sequence = '1',
): DynamoDBRecord {
  return {
    eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    dynamodb: {
      SequenceNumber: sequence,
      ...(before && { OldImage: image(before) }),
      ...(after && { NewImage: image(after) }),
    },
  } as DynamoDBRecord;
}
