/** The embedded cloud: table, queues, mail server, partners, and the same functions as in AWS, in one process. */

import { createPublicKey } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ulid } from 'ulid';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import * as batchStore from '#functions/data/distribution/batch-store';
import { ensureTable } from '#functions/data/table/create-table';
import { requireTableFormat, TableFormatError } from '#functions/data/table/format';
import { Table } from '#functions/data/table/table';
import { readCookies } from '#functions/http/session-cookie';
import { verifySignedCookies } from '#functions/http/site-gate/verify';
import type { Environment } from '#functions/platform/environment';
import { QUEUES, STREAM_CONSUMERS, type StreamConsumer } from '#functions/platform/functions';
import { createLogger, errorFields } from '#functions/platform/logger';
import { parseJson } from '#functions/platform/parse-json';
import { type Runtime, systemRuntime } from '#functions/platform/runtime';
import { atEndpoint } from '#functions/platform/sdk-client';
import { type DistributeMessage, deliverMessage, type RedistributeMessage } from '#functions/queues/messages';
import { sendAll } from '#functions/queues/queue';
import { buyerOf, createQueue } from '#functions/queues/sqs';
import type { ReconcileEvent } from '#functions/workers/reconcile/index';
import { Checkpoint } from '#local/checkpoint';
import { Clock } from '#local/clock';
import { createConsole } from '#local/console';
import { createFullDiskCheck } from '#local/disk-space';
import { startEngine } from '#local/engine';
import { GATE_KEY_PAIR, localEnvironment } from '#local/environment';
import { ERASED_FILE, keepErased } from '#local/erased-leads';
import { WebFiles } from '#local/files';
import { createFunctions } from '#local/functions';
import { startGateway } from '#local/gateway';
import { ensureKeys } from '#local/keys';
import { lambdaContext, scheduledEvent } from '#local/lambda-context';
import { lockFolder } from '#local/lock';
import { type Inbox, startInbox } from '#local/mail';
import { type Partners, startPartners } from '#local/partners';
import { makeDataFolder } from '#local/private-files';
import { QueuePoller } from '#local/queue-poller';
import { type Queues, startQueues } from '#local/queues';
import { AUDIT_CHECKPOINTS_FILE, announce, TABLE_NAME } from '#local/running';
import { bounceEvent, publish } from '#local/ses-events';
import { untilSettled } from '#local/settled';
import { StartError } from '#local/start-error';
import { StreamPoller } from '#local/stream-poller';
import { purgeFile, StreamRecords } from '#local/stream-records';
import { openStream } from '#local/stream-source';

export interface CloudOptions {
  readonly dataDir: string;
  /** 0, the default: any free one. */
  readonly port?: number;
  /** Loopback by default: the mails have no access control. */
  readonly host?: string;
  /** Used if free, otherwise any free port. 0, the default: any. The same for `partnersPort`. */
  readonly smtpPort?: number;
  readonly partnersPort?: number;
  readonly environment?: Readonly<Partial<Record<keyof Environment, string>>>;
  readonly runtime?: Partial<Runtime>;
  /** 60 by default; 0: only when `reconcile` is called. */
  readonly reconcileEverySeconds?: number;
  readonly webRoot?: string;
  /** If a proxy is in front. */
  readonly publicUrl?: string;
  /** Instead of the embedded engine. */
  readonly dynamodbEndpoint?: string;
  /** Instead of the embedded ones. */
  readonly queues?: Queues;
  readonly beforeOpen?: (cloud: Pick<Cloud, 'table' | 'runtime'>) => Promise<void>;
  readonly onLog?: (line: string) => void;
  readonly onFailure?: (reason: string) => void;
}

export interface Cloud {
  /** `http://localhost:{port}` unless a proxy is in front. */
  readonly url: string;
  readonly port: number;
  readonly environment: Environment;
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly table: Table;
  readonly tableClient: DynamoDBClient;
  readonly queues: Queues;
  readonly inbox: Inbox;
  readonly partners: Partners;
  readonly logs: readonly string[];
  reconcile(): Promise<void>;
  /** Also shortens the delay of waiting messages, and reconciles. */
  advance(milliseconds: number): Promise<void>;
  /** Resolves when the stream is read and no message is ready or being processed. Delayed messages do not count. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const MAX_LOG_LINES = 10_000;
function buyerInBody(body: string): string | undefined {
  const { data } = deliverMessage.safeParse(parseJson(body));
  return data && buyerOf(data);
}

/** Messages per event, and events at once. A delivery mostly waits for its destination, so many buyers take turns. */
export const BATCHES = {
  deliver: { batch: 1, concurrency: 16, ahead: 10_000, groupOf: buyerInBody },
  notify: { batch: 5, concurrency: 1 },
  callback: { batch: 1, concurrency: 8 },
  redistribute: { batch: 1, concurrency: 1 },
  distribute: { batch: 1, concurrency: 2 },
  bounces: { batch: 10, concurrency: 1 },
} as const;
/** This many are requeued at a start; the reconciliation finds the rest. */
const MAX_OPEN_BATCHES = 1000;
const MAX_STOP_WAIT_MS = 1000;
const MAX_OUTSIDE_WAIT_MS = 5000;
/** The readers of the stream are within a second of its end, unless they fail. */
const MAX_CATCH_UP_MS = 5000;

/** Stops what it started if something fails. @throws StartError */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const closers: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return await start(options, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Nothing can be removed from the file permanently until the stream is read. */
const notYet = async () => false;

async function start(
  options: CloudOptions,
  closers: (() => Promise<void> | void)[],
  close: () => Promise<void>,
): Promise<Cloud> {
  const dataDir = resolve(options.dataDir);
  makeDataFolder(dataDir);
  closers.push(lockFolder(dataDir));
  const keys = ensureKeys(dataDir);

  const gateway = await startGateway(options.port ?? 0, options.host ?? '127.0.0.1', options.publicUrl);
  closers.push(() => gateway.stop());

  const clock = new Clock();
  const logs: string[] = [];
  const log = createLogger((line) => {
    logs.push(line);
    if (logs.length > MAX_LOG_LINES) logs.shift();
    options.onLog?.(line);
  });
  let forget: (leadIds: readonly string[]) => Promise<boolean> = notYet;
  const runtime: Runtime = {
    ...systemRuntime,
    sidecar: {
      keepErased: async (erased) => keepErased(join(dataDir, ERASED_FILE), erased),
      forget: (leadIds) => forget(leadIds),
    },
    now: clock.now,
    newId: () => ulid(clock.now().getTime()),
    log,
    ...options.runtime,
  };

  const checkpointOf = (name: StreamConsumer) => new Checkpoint(join(dataDir, 'checkpoints', name), log);
  const checkpoints: Readonly<Record<StreamConsumer, Checkpoint>> = {
    outbox: checkpointOf('outbox'),
    statistics: checkpointOf('statistics'),
  };
  const positions = () => Object.values(checkpoints).map(({ position }) => position);
  const file = join(dataDir, 'table.db');
  let endpoint = options.dynamodbEndpoint;
  if (endpoint === undefined) {
    const engine = await startEngine({ file, ...(options.onFailure && { onExit: options.onFailure }) });
    closers.push(() => engine.stop());
    endpoint = engine.endpoint;
  }
  const tableClient = new DynamoDBClient(atEndpoint(endpoint));
  closers.push(() => tableClient.destroy());
  await ensureTable(tableClient, TABLE_NAME);
  const table = new Table({ name: TABLE_NAME, endpoint, client: tableClient });
  await requireTableFormat(table).catch((error: unknown) => {
    if (!(error instanceof TableFormatError)) throw error;
    throw new StartError(
      `The data in ${dataDir} were written by another version of the product (${error.message}). Move or delete the folder, or choose another one with DATA_DIR.`,
    );
  });
  const streams = await Promise.all(
    STREAM_CONSUMERS.map(async (name) => ({
      name,
      source: await openStream(tableClient, endpoint, TABLE_NAME),
    })),
  );
  closers.push(() => {
    for (const { source } of streams) source.close();
  });
  const [first] = streams;
  if (options.dynamodbEndpoint === undefined && first !== undefined) {
    const { label } = first.source;
    const records = new StreamRecords({ file, table: TABLE_NAME, label, positions, log });
    closers.push(() => records.stop());
  }

  const queues = options.queues ?? (await startQueues());
  closers.push(() => queues.stop());
  const inbox = await startInbox({
    port: options.smtpPort ?? 0,
    file: join(dataDir, 'inbox.jsonl'),
    now: clock.now,
    onBounce: (mail, id) =>
      void publish(queues.client, queues.urls.bounces, bounceEvent(mail, id, clock.now())).catch(
        (error: unknown) => log.error('event of a mail not published', errorFields(error)),
      ),
  });
  closers.push(() => inbox.stop());
  const partners = await startPartners({
    port: options.partnersPort ?? 0,
    now: clock.now,
    onPlatformMail: (mail, id) => inbox.add(mail, id),
  });
  closers.push(() => partners.stop());

  const url = options.publicUrl ?? `http://localhost:${gateway.port}`;
  const environment = localEnvironment({
    endpoint,
    keys,
    url,
    queues,
    auditCheckpointsFile: join(dataDir, AUDIT_CHECKPOINTS_FILE),
    more: { ...partners.environment, ...options.environment },
  });
  const functions = createFunctions(environment, runtime);

  const runReconcile = (start: ReconcileEvent): Promise<void> =>
    functions.schedule
      .reconcile({ ...scheduledEvent(clock.now()), ...start }, lambdaContext('reconcile'))
      .catch((error: unknown) => log.error('reconciliation failed', errorFields(error)));
  // Before anything else, so everything unfinished is from an earlier process: the folder is locked.
  await runReconcile({ startup: true, alone: options.dynamodbEndpoint === undefined });
  // The queues do not survive a restart.
  await sendAll(createQueue<RedistributeMessage>(queues.client, queues.urls.redistribute, log), [
    { message: { buyer: 0 } },
  ]);
  const openBatches = await batchStore.openSince({ table }, clock.now().toISOString(), MAX_OPEN_BATCHES);
  await sendAll(
    createQueue<DistributeMessage>(queues.client, queues.urls.distribute, log),
    openBatches.map((batch_id) => ({ message: { batch_id } })),
  );

  const streamPollers = streams.map(
    ({ name, source }) =>
      new StreamPoller({
        name,
        source,
        checkpoint: checkpoints[name],
        handler: functions.stream[name],
        log,
      }),
  );
  const nudge = () => {
    for (const poller of streamPollers) poller.nudge();
  };
  forget = async (leadIds) => {
    inbox.forget(leadIds);
    if (options.dynamodbEndpoint !== undefined || first === undefined) return true;
    // The last record that was read is never dropped, so it must not contain personal data.
    await dedupMarkerStore.confirm({ table }, 'forget', clock.now(), 1);
    const read = Promise.all(streamPollers.map((poller) => poller.untilCaughtUp())).then(() => true);
    if (!(await Promise.race([read, wait(MAX_CATCH_UP_MS, false)]))) return false;
    return purgeFile({ file, table: TABLE_NAME, label: first.source.label, positions });
  };
  const queuePollers = QUEUES.map((name) => ({
    name,
    poller: new QueuePoller({
      name,
      client: queues.client,
      url: queues.urls[name],
      handler: functions.queue[name],
      ...BATCHES[name],
      log,
      onWorked: nudge,
    }),
  }));
  queues.whenSent(() => {
    for (const { poller } of queuePollers) poller.nudge();
  });
  closers.push(async () => {
    const stopped = Promise.all([
      ...queuePollers.map(({ poller }) => poller.pause()),
      ...streamPollers.map((poller) => poller.stop()),
    ]);
    // Closing the mail server and the partners ends deliveries that wait for them.
    await Promise.race([stopped, wait(MAX_STOP_WAIT_MS)]);
    await Promise.all([inbox.stop(), partners.stop()]);
    // A call to an outside server is cut as by a crash; the next start repeats it.
    await Promise.race([stopped, wait(MAX_OUTSIDE_WAIT_MS)]);
  });

  let reconciling = Promise.resolve();
  const reconcile = (): Promise<void> => {
    reconciling = reconciling.then(() => runReconcile({})).then(nudge);
    return reconciling;
  };
  const everySeconds = options.reconcileEverySeconds ?? 60;
  const timer = everySeconds > 0 ? setInterval(() => void reconcile(), everySeconds * 1000) : undefined;
  closers.push(async () => {
    clearInterval(timer);
    await reconciling;
  });

  const settled = () => untilSettled(queuePollers, streamPollers, queues);

  const advance = async (milliseconds: number): Promise<void> => {
    await Promise.all(queuePollers.map(({ poller }) => poller.pause()));
    clock.advance(milliseconds);
    await queues.hasten(milliseconds);
    for (const { poller } of queuePollers) poller.resume();
    await reconcile();
  };

  await options.beforeOpen?.({ table, runtime });
  const keyGroup = { [GATE_KEY_PAIR]: createPublicKey(keys.siteGate.publicKey) };
  gateway.open({
    api: functions.api,
    files: new WebFiles(resolve(options.webRoot ?? 'dist/web')),
    mayReadAdminFiles: (path, request) => {
      const cookies = Object.fromEntries(readCookies(request.headers.cookie?.split(/; */)));
      return verifySignedCookies(keyGroup, cookies, `${url}${path}`, clock.now()) === 'granted';
    },
    local: createConsole({
      inbox,
      partners,
      queues,
      streams: streamPollers,
      table,
      now: clock.now,
      advance,
    }),
    isDiskFull: createFullDiskCheck(dataDir),
    onWritten: nudge,
    log,
  });

  closers.push(announce(dataDir, { url, dynamodbEndpoint: endpoint }));

  return {
    url,
    port: gateway.port,
    environment,
    runtime,
    clock,
    table,
    tableClient,
    queues,
    inbox,
    partners,
    logs,
    reconcile: () => reconcile(),
    advance,
    settled,
    stop: close,
  };
}
