/**
 * fauxqs: SQS and S3 in this process. Their content need not survive a restart: a start sends the messages of deliveries,
 * callbacks, notifications and batches again.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import * as z from 'zod/mini';
import { QUEUES, type QueueName } from '#functions/platform/functions';
import { MAX_DELAY_SECONDS } from '#functions/queues/queue';
import { createSqsClient } from '#functions/queues/sqs';
import { createHostCheck } from '#local/host-check';
import { record } from '#shared/rules/lead-fields';

export const EXPORT_BUCKET = 'exports';

/** Longer than a worker needs for a batch. */
const VISIBILITY_SECONDS: Readonly<Record<QueueName, number>> = {
  deliver: 900,
  notify: 180,
  callback: 180,
  redistribute: 180,
  distribute: 180,
  bounces: 180,
};
/** Each retry of a delivery is a new message. */
const MAX_RECEIVES = 5;

const messageSchema = z.object({
  messageId: z.string(),
  body: z.string(),
  sentTimestamp: z.number(),
  approximateReceiveCount: z.number(),
  delayUntil: z.optional(z.number()),
});
const contentSchema = z.object({
  messages: z.object({
    ready: z.array(messageSchema),
    delayed: z.array(messageSchema),
    inflight: z.array(
      z.object({ message: messageSchema, receiptHandle: z.string(), visibilityDeadline: z.number() }),
    ),
  }),
});
export type QueueContent = z.output<typeof contentSchema>['messages'];

export interface Queues {
  readonly endpoint: string;
  readonly client: SQSClient;
  readonly urls: Readonly<Record<QueueName, string>>;
  readonly deadLetterUrls: Readonly<Record<QueueName, string>>;
  content(queue: QueueName): Promise<QueueContent>;
  deadLetters(queue: QueueName): Promise<QueueContent>;
  /**
   * For tests that move the clock, while no message is being processed. A queue with delayed messages is filled again, so receipts count
   * from 0.
   */
  hasten(milliseconds: number): Promise<void>;
  whenSent(listener: () => void): void;
  stop(): Promise<void>;
}

/** The emulator does not export its framework's types. */
interface HookRequest {
  readonly raw: IncomingMessage;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}
interface HookReply {
  readonly raw: ServerResponse;
  hijack(): unknown;
  header(name: string, value: string): unknown;
}

export async function startQueues(): Promise<Queues> {
  const app = buildApp({ logger: false });
  // The files contain persons.
  const refuseForeign = createHostCheck();
  app.addHook('onRequest', (request: HookRequest, reply: HookReply, done: () => void) => {
    if (refuseForeign(request.raw, reply.raw)) reply.hijack();
    else done();
  });
  // The emulator does not keep file names.
  const dispositions = new Map<string, string>();
  app.addHook('onSend', (request: HookRequest, reply: HookReply, _payload: unknown, done: () => void) => {
    const path = request.url.split('?')[0] ?? '';
    const given = request.headers['content-disposition'];
    if (request.method === 'PUT' && given !== undefined) dispositions.set(path, given);
    const kept = dispositions.get(path);
    if (request.method === 'GET' && kept !== undefined) reply.header('content-disposition', kept);
    done();
  });
  let sent: (() => void) | undefined;
  app.addHook('onResponse', (request: HookRequest, _reply: HookReply, done: () => void) => {
    if (request.headers['x-amz-target']?.startsWith('AmazonSQS.SendMessage')) sent?.();
    done();
  });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  const inspect = async (name: string): Promise<QueueContent> => {
    const answer = await app.inject({ method: 'GET', url: `/_fauxqs/queues/${name}` });
    return contentSchema.parse(answer.json()).messages;
  };
  await app.inject({ method: 'PUT', url: `/${EXPORT_BUCKET}` });
  const queues = await createQueues(endpoint, inspect);
  return {
    ...queues,
    whenSent(listener) {
      sent = listener;
    },
    async stop() {
      queues.client.destroy();
      await app.close();
    },
  };
}

/** In an empty SQS at this address. */
export async function createQueues(
  endpoint: string,
  inspect: (name: string) => Promise<QueueContent>,
): Promise<Omit<Queues, 'whenSent' | 'stop'>> {
  const client = createSqsClient(endpoint);
  const create = async (name: string, attributes: Record<string, string>): Promise<string> => {
    const { QueueUrl } = await client.send(
      new CreateQueueCommand({ QueueName: name, Attributes: attributes }),
    );
    if (QueueUrl === undefined) throw new Error(`The queue ${name} could not be created`);
    return QueueUrl;
  };
  const createPair = async (name: QueueName) => {
    const VisibilityTimeout = String(VISIBILITY_SECONDS[name]);
    const deadLetters = await create(deadName(name), { VisibilityTimeout });
    const queue = await create(name, {
      VisibilityTimeout,
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: `arn:aws:sqs:local:000000000000:${deadName(name)}`,
        maxReceiveCount: MAX_RECEIVES,
      }),
    });
    return { queue, deadLetters };
  };
  const pairs = await forEveryQueue(createPair);
  const urls = record(QUEUES, (name) => pairs[name].queue);

  return {
    endpoint,
    client,
    urls,
    deadLetterUrls: record(QUEUES, (name) => pairs[name].deadLetters),
    content: inspect,
    deadLetters: (queue) => inspect(deadName(queue)),
    async hasten(milliseconds) {
      for (const name of QUEUES) {
        const { ready, delayed, inflight } = await inspect(name);
        const QueueUrl = urls[name];
        const now = Date.now() + milliseconds;
        const secondsUntil = (due: number) => Math.max(0, Math.ceil((due - now) / 1000));
        for (const { receiptHandle, visibilityDeadline } of inflight)
          await client.send(
            new ChangeMessageVisibilityCommand({
              QueueUrl,
              ReceiptHandle: receiptHandle,
              VisibilityTimeout: secondsUntil(visibilityDeadline),
            }),
          );
        if (delayed.length === 0) continue;
        // A delay cannot be changed.
        await client.send(new PurgeQueueCommand({ QueueUrl }));
        const all = [
          ...ready.map((message) => ({ message, due: now })),
          ...inflight.map(({ message, visibilityDeadline }) => ({ message, due: visibilityDeadline })),
          ...delayed.map((message) => ({ message, due: message.delayUntil ?? now })),
        ];
        for (const { message, due } of all)
          await client.send(
            new SendMessageCommand({
              QueueUrl,
              MessageBody: message.body,
              DelaySeconds: Math.min(MAX_DELAY_SECONDS, secondsUntil(due)),
            }),
          );
      }
    },
  };
}

function forEveryQueue<Value>(make: (name: QueueName) => Promise<Value>): Promise<Record<QueueName, Value>>;
async function forEveryQueue(make: (name: QueueName) => Promise<unknown>): Promise<object> {
  return Object.fromEntries(await Promise.all(QUEUES.map(async (name) => [name, await make(name)])));
}

const deadName = (name: QueueName) => `${name}-dead`;
