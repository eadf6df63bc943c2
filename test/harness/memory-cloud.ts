/**
 * The whole product on the in-memory table: the same functions behind the same gateway, with streams and queues as lists
 * in this process. For mutation runs, which repeat a test many times from the same initial state.
 */
import { generateKeyPairSync, scryptSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { ulid } from 'ulid';
import { requireTableFormat } from '#functions/data/table/format';
import { Table } from '#functions/data/table/table';
import { environment as environmentSchema } from '#functions/platform/environment';
import { QUEUES, type QueueName, STREAM_CONSUMERS, type StreamConsumer } from '#functions/platform/functions';
import { createLogger, errorFields } from '#functions/platform/logger';
import { type Runtime, systemRuntime } from '#functions/platform/runtime';
import { Clock } from '#local/clock';
import type { Cloud, CloudOptions } from '#local/cloud';
import { WebFiles } from '#local/files';
import { createFunctions, type Functions } from '#local/functions';
import { startGateway } from '#local/gateway';
import { lambdaContext } from '#local/lambda-context';
import { startInbox } from '#local/mail';
import { startPartners } from '#local/partners';
import { makeDataFolder } from '#local/private-files';
import type { QueueContent } from '#local/queues';
import { AUDIT_CHECKPOINTS_FILE } from '#local/running';
import { bounceEvent } from '#local/ses-events';
import { startMemoryFiles } from '#test/harness/memory-files';
import { documentsOf, shortSleep } from '#test/harness/memory-table';
import { type Rewindable, rewindables } from '#test/harness/rewind';
import { recordOf } from '#test/simulation/records';
import { SHARDS, TableModel } from '#test/simulation/table-model';

const TABLE_NAME = 'memory';
const KEY = Buffer.alloc(32, 7).toString('base64');
/** A thirtieth of the product's cost: a test's password takes 3 ms instead of 100. */
export const QUICK_SCRYPT = { N: 2 ** 10, r: 8, p: 1 } as const;
const scrypt = async (password: string, salt: Buffer, length: number) =>
  scryptSync(password, salt, length, QUICK_SCRYPT);
const MAX_RECORDS = 100;
const MAX_RECEIVES = 5;
/** As in the local queues. */
const hiddenMs = (queue: QueueName) => (queue === 'deliver' ? 900_000 : 180_000);
const BATCHES: Readonly<Record<QueueName, { readonly batch: number; readonly concurrency: number }>> = {
  deliver: { batch: 1, concurrency: 16 },
  notify: { batch: 5, concurrency: 1 },
  callback: { batch: 1, concurrency: 8 },
  redistribute: { batch: 1, concurrency: 1 },
  distribute: { batch: 1, concurrency: 2 },
  bounces: { batch: 10, concurrency: 1 },
};
const AFTER_FAILURE_MS = 100;
/** How long to wait for calls of an earlier repetition to mail server and partners. */
const QUIET_MS = 300;

interface Message {
  readonly id: string;
  readonly body: string;
  readonly sentAt: number;
  dueAt: number;
  receives: number;
}

/** All mutable state. */
interface State {
  readonly model: TableModel;
  readonly consumed: Readonly<Record<StreamConsumer, number[]>>;
  readonly messages: Readonly<Record<string, Message[]>>;
}

const emptyState = (now: () => number): State => ({
  model: new TableModel({ now }),
  consumed: { outbox: Array<number>(SHARDS).fill(0), statistics: Array<number>(SHARDS).fill(0) },
  messages: Object.fromEntries(
    QUEUES.flatMap((name) => [
      [name, []],
      [deadName(name), []],
    ]),
  ),
});
const copyOf = ({ model, consumed, messages }: State): State => ({
  model: model.copy(),
  consumed: { outbox: [...consumed.outbox], statistics: [...consumed.statistics] },
  messages: Object.fromEntries(
    Object.entries(messages).map(([name, list]) => [name, list.map((message) => ({ ...message }))]),
  ),
});
const deadName = (queue: string) => `${queue}-dead`;

/** The functions with their triggers on a given state. */
class Running {
  readonly functions: Functions;
  readonly state: State;
  readonly #now: () => number;
  readonly #following = new Set<string>();
  readonly #inWork = new Map<QueueName, number>();
  #ids = 0;
  #stopped = false;

  constructor(
    state: State,
    now: () => number,
    create: (externalServices: Runtime['externalServices']) => Functions,
  ) {
    this.state = state;
    this.#now = now;
    const table = documentsOf(() => this.state.model);
    const queues = { send: async (command: { readonly input: SendBatch }) => this.#send(command.input) };
    // Without `http`, calls go to the partners of this process.
    this.functions = create({ table, queues, scrypt } as never);
  }

  /** Puts a message on a queue from outside, like SES. */
  publish(queue: string, body: string): void {
    this.#send({ QueueUrl: queue, Entries: [{ Id: '1', MessageBody: body }] });
    this.nudge();
  }

  stop(): void {
    this.#stopped = true;
  }

  nudge(): void {
    if (this.#stopped) return;
    for (const consumer of STREAM_CONSUMERS)
      for (let shard = 0; shard < SHARDS; shard += 1) void this.#follow(consumer, shard);
    for (const queue of QUEUES) this.#poll(queue);
  }

  get isIdle(): boolean {
    return this.#following.size === 0 && QUEUES.every((queue) => this.#working(queue) === 0);
  }

  get isCalm(): boolean {
    const { model, consumed } = this.state;
    const isRead = STREAM_CONSUMERS.every((name) =>
      model.shards.every((records, shard) => consumed[name][shard] === records.length),
    );
    return isRead && this.isIdle && QUEUES.every((queue) => this.#ready(queue).length === 0);
  }

  #send({ QueueUrl, Entries }: SendBatch): object {
    for (const { MessageBody, DelaySeconds = 0 } of Entries) {
      this.#ids += 1;
      const sentAt = this.#now();
      this.state.messages[QueueUrl]?.push({
        id: `${this.#ids}-${ulid()}`,
        body: MessageBody,
        sentAt,
        dueAt: sentAt + DelaySeconds * 1000,
        receives: 0,
      });
      setTimeout(() => this.nudge(), DelaySeconds * 1000).unref();
    }
    return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
  }

  #working(queue: QueueName): number {
    return this.#inWork.get(queue) ?? 0;
  }

  #ready(queue: QueueName): Message[] {
    const now = this.#now();
    return (this.state.messages[queue] ?? []).filter(({ dueAt }) => dueAt <= now);
  }

  async #follow(consumer: StreamConsumer, shard: number): Promise<void> {
    const name = `${consumer} ${shard}`;
    if (this.#following.has(name)) return;
    this.#following.add(name);
    const records = this.state.model.shards[shard] ?? [];
    const consumed = this.state.consumed[consumer];
    for (let from = 0; !this.#stopped && (from = consumed[shard] ?? 0) < records.length; ) {
      const batch = records.slice(from, from + MAX_RECORDS);
      const Records = batch.map((change, at) => recordOf(change, from + at));
      const failed = await this.functions.stream[consumer]({ Records }, lambdaContext(consumer)).then(
        (answer) => answer?.batchItemFailures[0]?.itemIdentifier,
        () => '',
      );
      if (failed === undefined) consumed[shard] = from + batch.length;
      else {
        if (failed !== '') consumed[shard] = Number(failed);
        await wait(AFTER_FAILURE_MS);
      }
    }
    this.#following.delete(name);
    this.nudgeQueues();
  }

  nudgeQueues(): void {
    if (!this.#stopped) for (const queue of QUEUES) this.#poll(queue);
  }

  #poll(queue: QueueName): void {
    const list = this.state.messages[queue] ?? [];
    for (;;) {
      const { batch, concurrency } = BATCHES[queue];
      const messages = this.#working(queue) < concurrency ? this.#ready(queue).slice(0, batch) : [];
      if (messages.length === 0) return;
      for (const message of messages) {
        message.receives += 1;
        message.dueAt = this.#now() + hiddenMs(queue);
      }
      this.#inWork.set(queue, this.#working(queue) + 1);
      void this.#work(queue, messages, list).finally(() => {
        this.#inWork.set(queue, this.#working(queue) - 1);
        this.nudge();
      });
    }
  }

  async #work(queue: QueueName, messages: readonly Message[], list: Message[]): Promise<void> {
    const event = { Records: messages.map(({ id, body }) => ({ messageId: id, body })) } as SQSEvent;
    const failed = await this.functions.queue[queue](event, lambdaContext(queue)).then(
      (answer) => new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)),
      () => new Set(messages.map(({ id }) => id)),
    );
    for (const message of messages) {
      const isDead = message.receives >= MAX_RECEIVES;
      if (failed.has(message.id) && !isDead) continue;
      list.splice(list.indexOf(message), 1);
      if (failed.has(message.id)) this.state.messages[deadName(queue)]?.push(message);
    }
  }
}

interface SendBatch {
  readonly QueueUrl: string;
  readonly Entries: readonly {
    readonly Id: string;
    readonly MessageBody: string;
    readonly DelaySeconds?: number;
  }[];
}

let siteGateKey: string | undefined;
const newSiteGateKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

const nothing = (what: string) => (): never => {
  throw new Error(`The product in memory has no ${what}`);
};

/** The part of `startCloud` for tests without the engine and the queue server. */
export async function startMemoryCloud(options: CloudOptions): Promise<Cloud> {
  makeDataFolder(options.dataDir);
  const clock = new Clock();
  const now = () => clock.now().getTime();
  const logs: string[] = [];
  const log = createLogger((line) => {
    logs.push(line);
    options.onLog?.(line);
  });
  const runtime: Runtime = {
    ...systemRuntime,
    sleep: shortSleep,
    now: clock.now,
    newId: () => ulid(now()),
    log,
    ...options.runtime,
  };
  const gateway = await startGateway(0, '127.0.0.1');
  const inbox = await startInbox({
    port: 0,
    file: join(options.dataDir, 'inbox.jsonl'),
    now: clock.now,
    onBounce: (mail, id) => running.publish('bounces', JSON.stringify(bounceEvent(mail, id, clock.now()))),
  });
  const partners = await startPartners({
    port: 0,
    now: clock.now,
    onPlatformMail: (mail, id) => inbox.add(mail, id),
  });
  const files = await startMemoryFiles();
  const auditCheckpointsFile = join(options.dataDir, AUDIT_CHECKPOINTS_FILE);
  const url = `http://localhost:${gateway.port}`;
  const environment = environmentSchema.parse({
    TABLE_NAME,
    KEYS_JSON: JSON.stringify({ session: KEY, encryption: [{ id: '1', key: KEY }] }),
    PUBLIC_BASE_URL: url,
    CLOUDFRONT_KEY_PAIR_ID: 'memory',
    CLOUDFRONT_PRIVATE_KEY: (siteGateKey ??= newSiteGateKey()),
    ...Object.fromEntries(QUEUES.map((name) => [`${name.toUpperCase()}_QUEUE_URL`, name])),
    DELIVER_DLQ_URL: deadName('deliver'),
    EXPORT_BUCKET: 'exports',
    S3_ENDPOINT: files.url,
    AUDIT_CHECKPOINTS_FILE: auditCheckpointsFile,
    ALLOW_PRIVATE_HOSTS: '1',
    ...partners.environment,
    ...options.environment,
  });
  const run = (state: State) =>
    new Running(state, now, (externalServices) =>
      createFunctions(environment, { ...runtime, ...(externalServices && { externalServices }) }),
    );
  let running = run(emptyState(now));
  const table = new Table({ name: TABLE_NAME, documents: documentsOf(() => running.state.model) as never });
  await requireTableFormat(table);

  const reconcile = async (how: object = {}): Promise<void> => {
    const { functions } = running;
    await functions.schedule
      .reconcile(how as never, lambdaContext('reconcile'))
      .catch((error: unknown) => log.error('reconciliation failed', errorFields(error)));
    running.nudge();
  };
  await options.beforeOpen?.({ table, runtime });
  const api = new Proxy(running.functions.api, {
    get: (_, name) => Reflect.get(running.functions.api, name) as unknown,
  });
  gateway.open({
    api,
    files: new WebFiles(options.webRoot ?? 'dist/web'),
    mayReadAdminFiles: () => true,
    local: nothing('console'),
    isDiskFull: async () => false,
    onWritten: () => running.nudge(),
    log,
  });

  const snapshot = () => ({
    state: copyOf(running.state),
    files: new Map(files.stored),
    auditCheckpoints: existsSync(auditCheckpointsFile) ? readFileSync(auditCheckpointsFile) : '',
    offset: now() - Date.now(),
    inbox: { mode: inbox.mode, rule: inbox.rule },
    modes: { ...partners.modes },
    rules: { ...partners.rules },
    mails: inbox.mails.length,
    calls: partners.calls.length,
    logs: logs.length,
  });
  let kept = snapshot();
  const lists = [inbox.mails, partners.calls, logs] as unknown[][];
  const rewindable: Rewindable = {
    keep() {
      kept = snapshot();
    },
    async rewind() {
      running.stop();
      for (let waited = 0; !running.isIdle && waited < QUIET_MS; waited += 5) await wait(5);
      clock.set(new Date(Date.now() + kept.offset));
      running = run(copyOf(kept.state));
      files.stored.clear();
      for (const [path, content] of kept.files) files.stored.set(path, content);
      writeFileSync(auditCheckpointsFile, kept.auditCheckpoints);
      for (const [at, length] of [kept.mails, kept.calls, kept.logs].entries()) lists[at]?.splice(length);
      Object.assign(inbox, kept.inbox);
      Object.assign(partners.modes, kept.modes);
      for (const partner of Object.keys(partners.rules))
        Object.assign(partners.rules, { [partner]: undefined, ...kept.rules });
    },
  };
  rewindables.add(rewindable);

  const contentOf = async (queue: string): Promise<QueueContent> => {
    const shown = ({ id, body, sentAt, receives, dueAt }: Message) => ({
      messageId: id,
      body,
      sentTimestamp: sentAt,
      approximateReceiveCount: receives,
      delayUntil: dueAt,
    });
    const all = running.state.messages[queue] ?? [];
    return {
      ready: all.filter(({ receives, dueAt }) => receives === 0 && dueAt <= now()).map(shown),
      delayed: all.filter(({ receives, dueAt }) => receives === 0 && dueAt > now()).map(shown),
      inflight: all
        .filter(({ receives }) => receives > 0)
        .map((message) => ({
          message: shown(message),
          receiptHandle: message.id,
          visibilityDeadline: message.dueAt,
        })),
    };
  };
  return {
    url,
    port: gateway.port,
    environment,
    // Functions created by a test from these use the in-memory table.
    runtime: {
      ...runtime,
      externalServices: { table: documentsOf(() => running.state.model), scrypt } as never,
    },
    clock,
    table,
    tableClient: undefined as never,
    queues: {
      urls: Object.fromEntries(QUEUES.map((name) => [name, name])),
      client: {
        send: async ({ input }: SendMessageCommand) =>
          running.publish(input.QueueUrl ?? '', input.MessageBody ?? ''),
      },
      content: contentOf,
      deadLetters: (queue: QueueName) => contentOf(deadName(queue)),
      whenSent: () => undefined,
    } as never,
    inbox,
    partners,
    logs,
    reconcile,
    async advance(milliseconds) {
      for (; !running.isIdle; ) await wait(1);
      clock.advance(milliseconds);
      await reconcile();
    },
    async settled() {
      // Stream consumers also write.
      for (let calm = 0; calm < 2; calm = running.isCalm ? calm + 1 : 0) {
        running.nudge();
        await wait(1);
      }
    },
    async stop() {
      rewindables.delete(rewindable);
      running.stop();
      await Promise.all([gateway.stop(), inbox.stop(), partners.stop(), files.stop()]);
      await rm(options.dataDir, { recursive: true, force: true });
    },
  };
}
