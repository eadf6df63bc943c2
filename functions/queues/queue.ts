/** A queue to put messages on. */
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

export interface Outgoing<Message> {
  readonly message: Message;
  /** Seconds until it can be received, at most `MAX_DELAY_SECONDS`. */
  readonly delay?: number;
}

export interface Queue<Message> {
  /**
   * Sends in batches. The answer says for each message, in order, whether the queue took it: a batch may be taken in
   * part, and a message that was not taken is not an error of the others.
   */
  send(messages: readonly Outgoing<Message>[]): Promise<boolean[]>;
}

/** The longest delay that the service knows for one message. */
export const MAX_DELAY_SECONDS = 900;
/** Messages in one request. */
const BATCH = 10;

/** @param endpoint only outside the cloud */
export function createSqsClient(endpoint: string | undefined): SQSClient {
  return new SQSClient({
    maxAttempts: 4,
    ...(endpoint !== undefined && {
      endpoint,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  });
}

export function createQueue<Message>(client: SQSClient, url: string): Queue<Message> {
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
      for (let start = 0; start < messages.length; start += BATCH) {
        const batch = messages.slice(start, start + BATCH);
        taken.push(...(await sendBatch(batch).catch(() => batch.map(() => false))));
      }
      return taken;
    },
  };
}

/** @throws Error when the queue did not take every message */
export async function sendAll<Message>(
  queue: Queue<Message>,
  messages: readonly Outgoing<Message>[],
): Promise<void> {
  const taken = await queue.send(messages);
  const refused = taken.filter((ok) => !ok).length;
  if (refused > 0) throw new Error(`The queue did not take ${refused} of ${messages.length} messages`);
}
