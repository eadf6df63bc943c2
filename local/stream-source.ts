/**
 * The table's stream as a tree of shards (DynamoDB Streams): a shard is read before its children, so that changes of an item
 * stay in order. The embedded engine has one shard; DynamoDB closes one every few hours.
 */
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { atEndpoint, withoutCallLog } from '#functions/platform/sdk-client';

/**
 * By shard the last sequence number, or `READ` for a finished shard. The numbers are returned unchanged, because DynamoDB
 * pads them with zeros.
 */
export type Position = Readonly<Record<string, string>>;
export const READ = 'read';

export interface Batch {
  /** Differs from the requested position if shards have ended or are gone. */
  readonly before: Position;
  readonly records: readonly _Record[];
  readonly after: (sequenceNumber: string) => Position;
}

export interface StreamSource {
  /** The keys of a position begin with it and a slash. */
  readonly label: string;
  read(position: Position): Promise<Batch>;
  isAtEnd(position: Position): Promise<boolean>;
  close(): void;
}

const MAX_BATCH_RECORDS = 100;
/** An ended shard is noticed; other new ones are rare. */
const LIST_EVERY_MS = 10_000;

interface ListedShard {
  readonly id: string;
  /** With the label, because the engine names the shards of every new table the same. */
  readonly key: string;
  readonly parentKey: string | undefined;
}

export async function openStream(
  client: DynamoDBClient,
  endpoint: string,
  table: string,
): Promise<StreamSource> {
  const streams = withoutCallLog(new DynamoDBStreamsClient({ ...atEndpoint(endpoint) }));
  const described = await client.send(new DescribeTableCommand({ TableName: table }));
  const arn = described.Table?.LatestStreamArn;
  if (arn === undefined) throw new Error(`The table ${table} has no stream`);
  return new ShardTree(streams, arn);
}

class ShardTree implements StreamSource {
  readonly label: string;
  readonly #streams: DynamoDBStreamsClient;
  readonly #arn: string;
  #shards: readonly ListedShard[] = [];
  #listedAt = Number.NEGATIVE_INFINITY;
  readonly #next = new Map<string, { readonly after: string | undefined; readonly iterator: string }>();
  /** The other shards come first next time. */
  #lastKey = '';

  constructor(streams: DynamoDBStreamsClient, arn: string) {
    this.#streams = streams;
    this.#arn = arn;
    this.label = arn.split('/').at(-1) ?? arn;
  }

  async read(position: Position): Promise<Batch> {
    if (performance.now() - this.#listedAt > LIST_EVERY_MS) await this.#list();
    let before = this.#known(position);
    for (;;) {
      const ended: string[] = [];
      for (const shard of this.#inTurn(readable(this.#shards, before))) {
        const { records, isLast } = await this.#readShard(shard, before[shard.key]);
        if (records.length > 0) {
          this.#lastKey = shard.key;
          const from = withRead(before, ended);
          return { before: from, records, after: (number) => ({ ...from, [shard.key]: number }) };
        }
        if (isLast) ended.push(shard.key);
      }
      const reached = withRead(before, ended);
      if (ended.length === 0) return { before: reached, records: [], after: () => reached };
      // For the children of ended shards.
      await this.#list();
      before = this.#known(reached);
    }
  }

  async isAtEnd(position: Position): Promise<boolean> {
    const shards = await this.#describe();
    const open = readable(shards, position);
    const isRead = shards.every((shard) => open.includes(shard) || position[shard.key] === READ);
    if (!isRead) return false;
    for (const shard of open) {
      const ShardIterator = await this.#iteratorAfter(shard, position[shard.key]);
      const { Records = [] } = await this.#streams.send(new GetRecordsCommand({ ShardIterator, Limit: 1 }));
      if (Records.length > 0) return false;
    }
    return true;
  }

  close(): void {
    this.#streams.destroy();
  }

  /** DynamoDB removes a shard a day after its last record. */
  #known(position: Position): Position {
    const keys = new Set(this.#shards.map(({ key }) => key));
    const kept = Object.entries(position).filter(([key]) => keys.has(key));
    return kept.length === Object.keys(position).length ? position : Object.fromEntries(kept);
  }

  #inTurn(shards: readonly ListedShard[]): readonly ListedShard[] {
    const first = shards.findIndex(({ key }) => key === this.#lastKey) + 1;
    return [...shards.slice(first), ...shards.slice(0, first)];
  }

  async #readShard(
    shard: ListedShard,
    after: string | undefined,
  ): Promise<{ readonly records: readonly _Record[]; readonly isLast: boolean }> {
    const kept = this.#next.get(shard.key);
    // Before its use: a failed call then asks for a new iterator.
    this.#next.delete(shard.key);
    const known = kept !== undefined && kept.after === after;
    const ShardIterator = known ? kept.iterator : await this.#iteratorAfter(shard, after);
    const answer = await this.#streams
      .send(new GetRecordsCommand({ ShardIterator, Limit: MAX_BATCH_RECORDS }))
      .catch((error: unknown) => {
        // The machine slept longer than an iterator lives.
        if (known && error instanceof ExpiredIteratorException) return undefined;
        throw error;
      });
    if (answer === undefined) return this.#readShard(shard, after);
    const { Records: records = [], NextShardIterator: iterator } = answer;
    if (iterator !== undefined)
      this.#next.set(shard.key, { after: records.at(-1)?.dynamodb?.SequenceNumber ?? after, iterator });
    return { records, isLast: iterator === undefined };
  }

  /** DynamoDB keeps records for a day; older positions start at the shard's beginning. */
  async #iteratorAfter(shard: ListedShard, after: string | undefined): Promise<string | undefined> {
    const of = { StreamArn: this.#arn, ShardId: shard.id };
    const fromBeginning = new GetShardIteratorCommand({ ...of, ShardIteratorType: 'TRIM_HORIZON' });
    if (after === undefined) return (await this.#streams.send(fromBeginning)).ShardIterator;
    try {
      const { ShardIterator } = await this.#streams.send(
        new GetShardIteratorCommand({
          ...of,
          ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
          SequenceNumber: after,
        }),
      );
      return ShardIterator;
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      return (await this.#streams.send(fromBeginning)).ShardIterator;
    }
  }

  async #list(): Promise<void> {
    this.#shards = await this.#describe();
    this.#listedAt = performance.now();
  }

  async #describe(): Promise<readonly ListedShard[]> {
    const shards: Shard[] = [];
    let last: string | undefined;
    do {
      const { StreamDescription } = await this.#streams.send(
        new DescribeStreamCommand({
          StreamArn: this.#arn,
          ...(last !== undefined && { ExclusiveStartShardId: last }),
        }),
      );
      shards.push(...(StreamDescription?.Shards ?? []));
      last = StreamDescription?.LastEvaluatedShardId;
    } while (last !== undefined);
    const keyOf = (id: string) => `${this.label}/${id}`;
    return shards.map(({ ShardId: id = '', ParentShardId: parent }) => ({
      id,
      key: keyOf(id),
      parentKey: parent === undefined ? undefined : keyOf(parent),
    }));
  }
}

const withRead = (position: Position, keys: readonly string[]): Position =>
  keys.length === 0 ? position : { ...position, ...Object.fromEntries(keys.map((key) => [key, READ])) };

/** Unfinished shards whose parent is finished or gone. */
function readable(shards: readonly ListedShard[], position: Position): readonly ListedShard[] {
  const unread = new Set(shards.map(({ key }) => key).filter((key) => position[key] !== READ));
  return shards.filter(
    ({ key, parentKey }) => unread.has(key) && (parentKey === undefined || !unread.has(parentKey)),
  );
}
