/** The table's stream as Lambda's event source: in order, repeated after a failure. */
import type { _Record, AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  AttributeValue as EventValue,
} from 'aws-lambda';
import { errorFields, type Logger } from '#functions/platform/logger';
import type { Checkpoint } from '#local/checkpoint';
import { lambdaContext } from '#local/lambda-context';
import type { Batch, Position, StreamSource } from '#local/stream-source';
import { WakeableTimer } from '#local/wakeable-timer';

export type StreamHandler = (
  event: DynamoDBStreamEvent,
  context: Context,
) => Promise<DynamoDBBatchResponse | void>;

export interface StreamPollerOptions {
  readonly name: string;
  readonly source: StreamSource;
  readonly checkpoint: Checkpoint;
  readonly handler: StreamHandler;
  readonly log: Logger;
}

/** For writes by others; `nudge` announces those of this process. */
const IDLE_MS = 2000;
const RETRY_MS = { first: 100, most: 5000 } as const;

export class StreamPoller {
  readonly name: string;
  readonly #options: StreamPollerOptions;
  readonly #timer = new WakeableTimer();
  /** Only `stop` ends it early; new records do not. */
  readonly #afterFailure = new WakeableTimer();
  #waiting: (() => void)[] = [];
  #stopped = false;
  readonly #loop: Promise<void>;

  constructor(options: StreamPollerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#loop = this.#run();
  }

  nudge(): void {
    this.#timer.wake();
  }

  get position(): Position {
    return this.#options.checkpoint.position;
  }

  caughtUp(): Promise<boolean> {
    return this.#options.source.isAtEnd(this.#options.checkpoint.position);
  }

  /** Resolves when a later read finds nothing. Never while the consumer fails. */
  async untilCaughtUp(): Promise<void> {
    const found = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#timer.wake();
    await found;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer.wake();
    this.#afterFailure.wake();
    await this.#loop;
    for (const resolve of this.#waiting) resolve();
    this.#options.checkpoint.close();
  }

  async #run(): Promise<void> {
    const { source, checkpoint, log } = this.#options;
    let failures = 0;
    while (!this.#stopped) {
      this.#timer.polling();
      const waiting = this.#waiting.length;
      try {
        const batch = await source.read(checkpoint.position);
        if (batch.records.length === 0) {
          checkpoint.advance(batch.before);
          for (const resolve of this.#waiting.splice(0, waiting)) resolve();
          await this.#timer.take(IDLE_MS);
          continue;
        }
        const complete = await this.#work(batch);
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

  /** @returns false if a part failed and is repeated */
  async #work({ before, records, after }: Batch): Promise<boolean> {
    const { checkpoint, handler } = this.#options;
    const events = records.map(toEventRecord);
    const answer = await handler({ Records: events }, lambdaContext(this.name));
    const failed = answer?.batchItemFailures.map(({ itemIdentifier }) =>
      events.findIndex((record) => record.dynamodb?.SequenceNumber === itemIdentifier),
    );
    // As in Lambda, an unknown identifier fails the whole batch.
    const first =
      failed === undefined || failed.length === 0 ? events.length : Math.max(0, Math.min(...failed));
    const last = events[first - 1]?.dynamodb?.SequenceNumber;
    checkpoint.advance(last === undefined ? before : after(last));
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

/** Bytes become base64. */
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
