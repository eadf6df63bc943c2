import { type BatchResultErrorEntry, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { errorFields, withoutData } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';
import { atEndpoint, withoutCallLog } from '#functions/platform/sdk-client';
import type { DeliverMessage } from '#functions/queues/messages';
import { MAX_DELAY_SECONDS, type Outgoing, type Queue } from '#functions/queues/queue';

/** SQS's limit. */
const MAX_BATCH_MESSAGES = 10;

export function createSqsClient(endpoint: string | undefined): SQSClient {
  return withoutCallLog(
    new SQSClient({
      maxAttempts: 4,
      ...atEndpoint(endpoint),
    }),
  );
}

export function openQueues(
  environment: { readonly SQS_ENDPOINT?: string | undefined },
  { externalServices }: Pick<Runtime, 'externalServices'>,
): Pick<SQSClient, 'send'> {
  return externalServices?.queues ?? createSqsClient(environment.SQS_ENDPOINT);
}

/** Deliveries of different buyers take turns. */
export const buyerOf = ({ buyer }: DeliverMessage) => buyer?.toString();

export function createDeliverQueue(
  client: Pick<SQSClient, 'send'>,
  url: string,
  log: Runtime['log'],
): Queue<DeliverMessage> {
  return createQueue(client, url, log, buyerOf);
}

/** @param groupOf messages of one group do not delay others (fair queues) */
export function createQueue<Message>(
  client: Pick<SQSClient, 'send'>,
  url: string,
  log: Runtime['log'],
  groupOf: (message: Message) => string | undefined = () => undefined,
): Queue<Message> {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const sendBatch = async (batch: readonly Outgoing<Message>[]): Promise<boolean[]> => {
    const answer = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: batch.map(({ message, delay }, at) => ({
          Id: String(at),
          MessageBody: JSON.stringify(message),
          MessageGroupId: groupOf(message),
          ...(delay !== undefined && {
            DelaySeconds: Math.max(0, Math.min(MAX_DELAY_SECONDS, Math.ceil(delay))),
          }),
        })),
      }),
    );
    const { Successful = [], Failed = [] } = answer;
    if (Failed.length > 0)
      log.error('messages not queued', {
        queue: name,
        refused: Failed.length,
        messages: batch.length,
        codes: distinct(Failed.map(codeOf)),
        reasons: distinct(Failed.map(({ Message = '' }) => withoutData(Message))),
      });
    const taken = new Set(Successful.map((entry) => entry.Id));
    return batch.map((_, at) => taken.has(String(at)));
  };
  return {
    async send(messages) {
      const taken: boolean[] = [];
      for (let start = 0; start < messages.length; start += MAX_BATCH_MESSAGES) {
        const batch = messages.slice(start, start + MAX_BATCH_MESSAGES);
        const sent = sendBatch(batch).catch((error: unknown) => {
          log.error('messages not queued', {
            queue: name,
            refused: batch.length,
            messages: batch.length,
            ...errorFields(error),
          });
          return batch.map(() => false);
        });
        taken.push(...(await sent));
      }
      return taken;
    },
  };
}

/** Such as `InternalError`, or `InvalidMessageContents (sender)` if the message is at fault. */
const codeOf = ({ Code = 'unknown', SenderFault }: BatchResultErrorEntry) =>
  SenderFault === true ? `${Code} (sender)` : Code;

const distinct = (texts: readonly string[]) => [...new Set(texts)].toSorted().join(', ');
