/** The table's stream as Lambda's event source: in order, from a checkpoint per consumer, again after a failure. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  type AttributeValue,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  AttributeValue as EventValue,
} from 'aws-lambda';
import { errorFields, type Logger } from '#functions/logger';
import { atEndpoint, withoutCallLog } from '#functions/sdk-client';
import { lambdaContext } from '#local/lambda-context';
import { WakeableTimer } from '#local/wakeable-timer';

export type StreamHandler = (
  event: DynamoDBStreamEvent,
  context: Context,
) => Promise<DynamoDBBatchResponse | void>;

/** Reads a stream for one consumer; reading on from the last position is the fast case. */
export interface StreamSource {
  read(after: bigint): Promise<readonly _Record[]>;
  /** The last record's sequence number; 0 while there is none. */
  end(): Promise<bigint>;
  close(): void;
}

const MAX_BATCH_RECORDS = 100;

/** @throws Error when the table has no stream */
export async function openStream(
  client: DynamoDBClient,
  endpoint: string,
  table: string,
): Promise<StreamSource> {
  const streams = withoutCallLog(
    new DynamoDBStreamsClient({
      ...atEndpoint(endpoint),
    }),
  );
  const described = await client.send(new DescribeTableCommand({ TableName: table }));
  const arn = described.Table?.LatestStreamArn;
  if (arn === undefined) throw new Error(`The table ${table} has no stream`);
  const shard = async () => {
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: arn }));
    return StreamDescription?.Shards?.at(-1);
  };
  // The engine keeps a table's stream in one shard for good.
  let ShardId: string | undefined;
  const iteratorAfter = async (after: bigint): Promise<string | undefined> => {
    ShardId ??= (await shard())?.ShardId;
    if (ShardId === undefined) return undefined;
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn: arn,
        ShardId,
        ...(after === 0n
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: String(after) }),
      }),
    );
    return ShardIterator;
  };
  let next: { readonly after: bigint; readonly iterator: string } | undefined;
  return {
    async read(after) {
      const ShardIterator = next?.after === after ? next.iterator : await iteratorAfter(after);
      // Cleared before its use: if the call fails, a new iterator is requested.
      next = undefined;
      if (ShardIterator === undefined) return [];
      const { Records = [], NextShardIterator } = await streams.send(
        new GetRecordsCommand({ ShardIterator, Limit: MAX_BATCH_RECORDS }),
      );
      const last = Records.at(-1)?.dynamodb?.SequenceNumber;
      if (NextShardIterator !== undefined)
        next = { after: last === undefined ? after : BigInt(last), iterator: NextShardIterator };
      return Records;
    },
    async end() {
      const last = (await shard())?.SequenceNumberRange?.EndingSequenceNumber;
      return last === undefined ? 0n : BigInt(last);
    },
    close: () => streams.destroy(),
  };
}

/** How far a checkpoint may lag behind on disk. After a crash these records come again, as they may from Lambda. */
const WRITE_AFTER_MS = 100;

/** How far a consumer has come, in a file that is replaced as a whole. */
export class Checkpoint {
  readonly #file: string;
  #at: bigint;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#at = readCheckpoint(file);
  }

  get at(): bigint {
    return this.#at;
  }

  advance(to: bigint): void {
    this.#at = to;
    this.#timer ??= setTimeout(() => this.write(), WRITE_AFTER_MS);
  }

  /** Writes now what is not written yet. */
  write(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.new`, String(this.#at));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** @returns 0 where there is none yet: from the stream's beginning */
function readCheckpoint(file: string): bigint {
  try {
    return BigInt(readFileSync(file, 'utf8').trim());
  } catch {
    return 0n;
  }
}

export interface StreamPollerOptions {
  readonly name: string;
  readonly source: StreamSource;
  readonly checkpoint: Checkpoint;
  readonly handler: StreamHandler;
  readonly log: Logger;
}

const IDLE_MS = 250;
const RETRY_MS = { first: 100, most: 5000 } as const;

export class StreamPoller {
  readonly name: string;
  readonly #options: StreamPollerOptions;
  readonly #timer = new WakeableTimer();
  /** Only `stop` cuts this wait short; new records do not. */
  readonly #afterFailure = new WakeableTimer();
  #stopped = false;
  readonly #loop: Promise<void>;

  constructor(options: StreamPollerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#loop = this.#run();
  }

  /** Looks for new records now. */
  nudge(): void {
    this.#timer.wake();
  }

  /** Whether every record of the stream up to now has been worked on. */
  async caughtUp(): Promise<boolean> {
    const end = await this.#options.source.end();
    return this.#options.checkpoint.at >= end;
  }

  /** Ends after the batch that is in work. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer.wake();
    this.#afterFailure.wake();
    await this.#loop;
    this.#options.checkpoint.write();
  }

  async #run(): Promise<void> {
    const { source, checkpoint, log } = this.#options;
    let failures = 0;
    while (!this.#stopped) {
      this.#timer.lookingNow();
      try {
        const records = await source.read(checkpoint.at);
        if (records.length === 0) {
          await this.#timer.take(IDLE_MS);
          continue;
        }
        const complete = await this.#work(records);
        failures = complete ? 0 : failures + 1;
      } catch (error) {
        if (this.#stopped) return;
        failures += 1;
        log.error('stream consumer failed', { consumer: this.name, ...errorFields(error) });
      }
      if (failures > 0)
        await this.#afterFailure.take(Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** (failures - 1)));
    }
  }

  /** @returns false when part of the batch failed and is repeated; the checkpoint stands before that part */
  async #work(records: readonly _Record[]): Promise<boolean> {
    const { checkpoint, handler } = this.#options;
    const events = records.map(toEventRecord);
    const answer = await handler({ Records: events }, lambdaContext(this.name));
    const failed = answer?.batchItemFailures.map(({ itemIdentifier }) =>
      events.findIndex((record) => record.dynamodb?.SequenceNumber === itemIdentifier),
    );
    // As Lambda does: an unknown identifier means that the whole batch failed.
    const first =
      failed === undefined || failed.length === 0 ? events.length : Math.max(0, Math.min(...failed));
    const last = events[first - 1]?.dynamodb?.SequenceNumber;
    if (last !== undefined) checkpoint.advance(BigInt(last));
    return first === events.length;
  }
}

function toEventRecord(record: _Record): DynamoDBRecord {
  const { eventID, eventName, dynamodb } = record;
  return {
    ...(eventID !== undefined && { eventID }),
    ...(eventName !== undefined && { eventName }),
    eventSource: 'aws:dynamodb',
    eventVersion: '1.1',
    awsRegion: 'local',
    dynamodb: {
      ...(dynamodb?.Keys && { Keys: toEventImage(dynamodb.Keys) }),
      ...(dynamodb?.NewImage && { NewImage: toEventImage(dynamodb.NewImage) }),
      ...(dynamodb?.OldImage && { OldImage: toEventImage(dynamodb.OldImage) }),
      ...(dynamodb?.SequenceNumber !== undefined && { SequenceNumber: dynamodb.SequenceNumber }),
      ...(dynamodb?.SizeBytes !== undefined && { SizeBytes: dynamodb.SizeBytes }),
      ...(dynamodb?.ApproximateCreationDateTime && {
        ApproximateCreationDateTime: dynamodb.ApproximateCreationDateTime.getTime() / 1000,
      }),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
}

function toEventImage(image: Record<string, AttributeValue>): Record<string, EventValue> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, toEventValue(value)]));
}

/** The SDK's value as the event carries it: bytes as base64. */
function toEventValue(value: AttributeValue): EventValue {
  if (value.S !== undefined) return { S: value.S };
  if (value.N !== undefined) return { N: value.N };
  if (value.BOOL !== undefined) return { BOOL: value.BOOL };
  if (value.NULL !== undefined) return { NULL: true };
  if (value.M !== undefined) return { M: toEventImage(value.M) };
  if (value.L !== undefined) return { L: value.L.map(toEventValue) };
  if (value.SS !== undefined) return { SS: value.SS };
  if (value.NS !== undefined) return { NS: value.NS };
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  throw new Error('A stream record holds a value of an unknown type');
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
