/** Queues in SQS. */
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { MAX_DELAY_SECONDS, type Outgoing, type Queue } from '#functions/queues/queue';
import type { Runtime } from '#functions/runtime';
import { atEndpoint, withoutCallLog } from '#functions/sdk-client';

/** SQS's limit for one request. */
const MAX_BATCH_MESSAGES = 10;

/** @param endpoint the address of SQS; undefined in the cloud */
export function createSqsClient(endpoint: string | undefined): SQSClient {
  return withoutCallLog(
    new SQSClient({
      maxAttempts: 4,
      ...atEndpoint(endpoint),
    }),
  );
}

/** The queues that a function's environment names. */
export function openQueues(
  environment: { readonly SQS_ENDPOINT?: string | undefined },
  { outside }: Pick<Runtime, 'outside'>,
): Pick<SQSClient, 'send'> {
  return outside?.queues ?? createSqsClient(environment.SQS_ENDPOINT);
}

export function createQueue<Message>(client: Pick<SQSClient, 'send'>, url: string): Queue<Message> {
  const sendBatch = async (batch: readonly Outgoing<Message>[]): Promise<boolean[]> => {
    const answer = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: batch.map(({ message, delay }, at) => ({
          Id: String(at),
          MessageBody: JSON.stringify(message),
          ...(delay !== undefined && {
            DelaySeconds: Math.max(0, Math.min(MAX_DELAY_SECONDS, Math.ceil(delay))),
          }),
        })),
      }),
    );
    const taken = new Set(answer.Successful?.map((entry) => entry.Id));
    return batch.map((_, at) => taken.has(String(at)));
  };
  return {
    async send(messages) {
      const taken: boolean[] = [];
      for (let start = 0; start < messages.length; start += MAX_BATCH_MESSAGES) {
        const batch = messages.slice(start, start + MAX_BATCH_MESSAGES);
        taken.push(...(await sendBatch(batch).catch(() => batch.map(() => false))));
      }
      return taken;
    },
  };
}
