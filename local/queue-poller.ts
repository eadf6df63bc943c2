/** A queue as Lambda's event source; failed messages stay. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields, type Logger } from '#functions/platform/logger';
import { lambdaContext } from '#local/lambda-context';
import { RoundRobin } from '#local/round-robin';
import { WakeableTimer } from '#local/wakeable-timer';

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse | void>;

export interface QueuePollerOptions {
  readonly name: string;
  readonly client: SQSClient;
  readonly url: string;
  readonly handler: QueueHandler;
  /** At most 10. */
  readonly batch: number;
  /** Messages that may wait here for their turn; by default a batch. */
  readonly ahead?: number;
  /** Groups take turns. From the body, because the emulator drops `MessageGroupId`. */
  readonly groupOf?: (body: string) => string | undefined;
  readonly concurrency: number;
  readonly log: Logger;
  /** Called after work whose writes are in the stream. */
  readonly onWorked: () => void;
}

/** For hidden and delayed messages; `nudge` announces new ones. */
const IDLE_MS = 1000;
const MAX_RECEIVED = 10;

export class QueuePoller {
  readonly #options: QueuePollerOptions;
  readonly #hidden = new Set<string>();
  readonly #waiting = new RoundRobin<Message>();
  readonly #inWork = new Set<Promise<void>>();
  readonly #timer = new WakeableTimer();
  #paused = false;
  #loop: Promise<void>;

  constructor(options: QueuePollerOptions) {
    this.#options = options;
    this.#loop = this.#run();
  }

  nudge(): void {
    this.#timer.wake();
  }

  get idle(): boolean {
    return this.#inWork.size + this.#waiting.size === 0;
  }

  /** Received before, and not being processed. */
  isHidden(messageId: string): boolean {
    return this.#hidden.has(messageId);
  }

  async pause(): Promise<void> {
    this.#paused = true;
    this.#timer.wake();
    await this.#loop;
    await Promise.all(this.#inWork);
    await this.#giveBack();
  }

  resume(): void {
    this.#paused = false;
    this.#loop = this.#run();
  }

  async #run(): Promise<void> {
    const { concurrency, log, name } = this.#options;
    while (!this.#paused) {
      this.#timer.polling();
      try {
        await this.#receive();
        const messages = this.#take();
        if (messages.length > 0) {
          const work: Promise<void> = this.#work(messages).finally(() => this.#inWork.delete(work));
          this.#inWork.add(work);
        } else await this.#timer.take(IDLE_MS);
      } catch (error) {
        log.error('queue could not be read', { queue: name, ...errorFields(error) });
        await this.#timer.take(IDLE_MS);
      }
      if (this.#inWork.size >= concurrency) await Promise.race(this.#inWork);
    }
  }

  async #receive(): Promise<void> {
    const { client, url, batch, ahead = batch, groupOf } = this.#options;
    for (;;) {
      const wanted = Math.min(MAX_RECEIVED, ahead - this.#waiting.size);
      if (wanted <= 0) return;
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: wanted,
          MessageSystemAttributeNames: ['All'],
        }),
      );
      for (const message of Messages) this.#waiting.add(groupOf?.(message.Body ?? '') ?? '', message);
      if (Messages.length < wanted) return;
    }
  }

  #take(): readonly Message[] {
    const messages: Message[] = [];
    while (messages.length < this.#options.batch) {
      const message = this.#waiting.take();
      if (message === undefined) break;
      messages.push(message);
    }
    return messages;
  }

  async #giveBack(): Promise<void> {
    const { client, url: QueueUrl } = this.#options;
    for (let message = this.#waiting.take(); message !== undefined; message = this.#waiting.take())
      await client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl,
          ReceiptHandle: message.ReceiptHandle,
          VisibilityTimeout: 0,
        }),
      );
  }

  async #work(messages: readonly Message[]): Promise<void> {
    const { client, url, handler, log, name, onWorked } = this.#options;
    const ids = messages.map(({ MessageId }) => MessageId ?? '');
    for (const id of ids) this.#hidden.delete(id);
    try {
      const answer = await handler({ Records: messages.map(toRecord) }, lambdaContext(name));
      const failed = new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      const done = messages.filter((_, at) => !failed.has(ids[at] ?? ''));
      for (const id of failed) this.#hidden.add(id);
      if (done.length > 0)
        await client.send(
          new DeleteMessageBatchCommand({
            QueueUrl: url,
            Entries: done.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle })),
          }),
        );
    } catch (error) {
      for (const id of ids) this.#hidden.add(id);
      log.error('queue worker failed', { queue: name, ...errorFields(error) });
    }
    onWorked();
  }
}

function toRecord(message: Message): SQSRecord {
  const attributes = message.Attributes;
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ApproximateReceiveCount: attributes?.ApproximateReceiveCount ?? '1',
      SentTimestamp: attributes?.SentTimestamp ?? '0',
      SenderId: attributes?.SenderId ?? 'local',
      ApproximateFirstReceiveTimestamp: attributes?.ApproximateFirstReceiveTimestamp ?? '0',
    },
    messageAttributes: {},
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:local:000000000000:queue',
    awsRegion: 'local',
  };
}
