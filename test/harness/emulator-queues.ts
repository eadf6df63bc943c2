/** SQS and S3 of the emulator with the interface of the embedded ones. */
import type { ServiceOutputTypes, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createQueues, EXPORT_BUCKET, type Queues } from '#local/queues';

const message = z.object({
  MessageId: z.string(),
  Body: z.string(),
  SentTimestamp: z.number(),
  VisibleAt: z.number(),
  IsVisible: z.boolean(),
  ReceiveCount: z.number(),
});
/** By account, region and address. */
const contentSchema = z.object({
  messages: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.array(message)))),
});

/** In which the product's S3 client signs for an emulator. */
const BUCKET_REGION =
  '<CreateBucketConfiguration><LocationConstraint>eu-central-1</LocationConstraint></CreateBucketConfiguration>';

/** Those of an emulator without queues. The product must send by `client`, otherwise nobody notices. */
export async function createEmulatorQueues(endpoint: string): Promise<Queues> {
  const receipts = new Map<string, string>();
  const queues = await createQueues(endpoint, async (name) => {
    const answer = await fetch(
      `${endpoint}/_ministack/sqs/messages?QueueUrl=${endpoint}/000000000000/${name}`,
    );
    const { messages } = contentSchema.parse(await answer.json());
    const all = Object.values(messages)
      .flatMap((regions) => Object.values(regions).flatMap((urls) => Object.values(urls).flat()))
      .map((stored) => ({
        dueAt: stored.VisibleAt * 1000,
        isVisible: stored.IsVisible,
        message: {
          messageId: stored.MessageId,
          body: stored.Body,
          sentTimestamp: stored.SentTimestamp * 1000,
          approximateReceiveCount: stored.ReceiveCount,
          delayUntil: stored.VisibleAt * 1000,
        },
      }));
    const hidden = all.filter(({ isVisible }) => !isVisible);
    return {
      ready: all.filter(({ isVisible }) => isVisible).map((one) => one.message),
      delayed: hidden.map((one) => one.message).filter((one) => one.approximateReceiveCount === 0),
      inflight: hidden
        .filter((one) => one.message.approximateReceiveCount > 0)
        .map((one) => ({
          message: one.message,
          // The emulator's list has none.
          receiptHandle: receipts.get(one.message.messageId) ?? '',
          visibilityDeadline: one.dueAt,
        })),
    };
  });
  await fetch(`${endpoint}/${EXPORT_BUCKET}`, { method: 'PUT', body: BUCKET_REGION });
  let sent = () => {};
  observe(queues.client, (command, output) => {
    if (command.startsWith('SendMessage')) sent();
    if ('Messages' in output)
      for (const { MessageId = '', ReceiptHandle = '' } of output.Messages ?? [])
        receipts.set(MessageId, ReceiptHandle);
  });
  return {
    ...queues,
    whenSent(listener) {
      sent = listener;
    },
    stop: async () => queues.client.destroy(),
  };
}

function observe(client: SQSClient, seen: (command: string, output: ServiceOutputTypes) => void): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next(args);
        seen(commandName, result.output);
        return result;
      },
    { step: 'initialize' },
  );
}
