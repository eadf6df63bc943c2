import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStream, type Position, READ } from '#local/stream-source';

const ARN = 'arn:aws:dynamodb:ddblocal:000000000000:table/leads/stream/2026-11-22T01:00';
const key = (shard: string) => `2026-11-22T01:00/${shard}`;
/** A shard ID in the format of DynamoDB. */
const padded = (number: number) => String(number).padStart(21, '0');

interface FakeShard {
  readonly id: string;
  readonly parent?: string;
  /** Sequence numbers, in order. */
  readonly records: number[];
  closed?: boolean;
}
let shards: FakeShard[];
/** Records up to this one have expired after a day. */
let trimmedTo: number;
let expireNext: boolean;
let shardsPerPage: number;

const table = mockClient(DynamoDBClient);
const streams = mockClient(DynamoDBStreamsClient);
const problem = { $metadata: {}, message: '' };

beforeEach(() => {
  trimmedTo = 0;
  expireNext = false;
  shardsPerPage = 2;
  table.reset();
  streams.reset();
  table.on(DescribeTableCommand).resolves({ Table: { LatestStreamArn: ARN } });
  streams.on(DescribeStreamCommand).callsFake(async ({ ExclusiveStartShardId: from }) => {
    const start = shards.findIndex(({ id }) => id === from) + 1;
    const page = shards.slice(start, start + shardsPerPage);
    return {
      StreamDescription: {
        Shards: page.map(({ id, parent }) => ({ ShardId: id, ParentShardId: parent })),
        LastEvaluatedShardId: start + shardsPerPage < shards.length ? page.at(-1)?.id : undefined,
      },
    };
  });
  streams.on(GetShardIteratorCommand).callsFake(async ({ ShardId, ShardIteratorType, SequenceNumber }) => {
    if (ShardIteratorType === 'TRIM_HORIZON') return { ShardIterator: `${ShardId} ${trimmedTo}` };
    expect(SequenceNumber).toHaveLength(21);
    if (Number(SequenceNumber) < trimmedTo) throw new TrimmedDataAccessException(problem);
    return { ShardIterator: `${ShardId} ${Number(SequenceNumber)}` };
  });
  streams.on(GetRecordsCommand).callsFake(async ({ ShardIterator, Limit }) => {
    if (expireNext) {
      expireNext = false;
      throw new ExpiredIteratorException(problem);
    }
    const [id, after] = String(ShardIterator).split(' ');
    const shard = shards.find((candidate) => candidate.id === id);
    const left = shard?.records.filter((number) => number > Number(after)) ?? [];
    const page = left.slice(0, Math.min(Limit, 2));
    const isLast = shard?.closed === true && page.length === left.length;
    return {
      Records: page.map((number) => ({ dynamodb: { SequenceNumber: padded(number) } })),
      NextShardIterator: isLast ? undefined : `${id} ${page.at(-1) ?? after}`,
    };
  });
});

const open = () => openStream(new DynamoDBClient(), 'http://127.0.0.1:1', 'leads');

/** Reads to the end with one reader, or with a new reader for each batch as after restarts. */
async function readAll(position: Position, restarts: boolean) {
  const seen: number[] = [];
  let at = position;
  let source = await open();
  for (;;) {
    if (restarts) source = await open();
    const { before, records, after } = await source.read(at);
    seen.push(...records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber)));
    const last = records.at(-1)?.dynamodb?.SequenceNumber;
    at = last === undefined ? before : after(last);
    if (records.length === 0) return { seen, at, isAtEnd: await source.isAtEnd(at) };
  }
}

const place = (seen: readonly number[], number: number) => {
  expect(seen).toContain(number);
  return seen.indexOf(number);
};

describe.each([true, false])('a stream of many shards, with a restart after each batch: %s', (restarts) => {
  it('is read completely and once, with parents before their children', async () => {
    shards = [
      { id: 'grandchild', parent: 'left', records: [9, 10, 11] },
      { id: 'left', parent: 'root', records: [4, 6, 7], closed: true },
      { id: 'right', parent: 'root', records: [5, 8] },
      { id: 'root', records: [1, 2, 3], closed: true },
      { id: 'orphan', parent: 'long gone', records: [12], closed: true },
    ];
    const { seen, at, isAtEnd } = await readAll({}, restarts);
    expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(seen.filter((number) => number <= 3)).toEqual([1, 2, 3]);
    for (const child of [4, 5]) expect(place(seen, child)).toBeGreaterThan(place(seen, 3));
    expect(place(seen, 9)).toBeGreaterThan(place(seen, 7));
    expect(isAtEnd).toBe(true);
    expect(at).toEqual({
      [key('root')]: READ,
      [key('left')]: READ,
      [key('orphan')]: READ,
      [key('right')]: padded(8),
      [key('grandchild')]: padded(11),
    });
  });

  it('is continued from the last position, including new shards', async () => {
    const root: FakeShard = { id: 'root', records: [1, 2, 3] };
    shards = [root];
    const first = await readAll({}, restarts);
    expect(first).toMatchObject({ seen: [1, 2, 3], isAtEnd: true, at: { [key('root')]: padded(3) } });
    root.records.push(4);
    root.closed = true;
    shards.push({ id: 'child', parent: 'root', records: [5] });
    const source = await open();
    expect(await source.isAtEnd(first.at)).toBe(false);
    const second = await readAll(first.at, restarts);
    expect(second.seen).toEqual([4, 5]);
    // A day later all records of the parent have expired.
    shards.shift();
    const third = await readAll(second.at, restarts);
    expect(third).toMatchObject({ seen: [], at: { [key('child')]: padded(5) }, isAtEnd: true });
  });
});

it('continues at the oldest record after a stop longer than the retention', async () => {
  shards = [{ id: 'root', records: [1, 2, 3, 4] }];
  trimmedTo = 2;
  expect((await readAll({ [key('root')]: padded(1) }, false)).seen).toEqual([3, 4]);
});

it('requests a new iterator when the last one has expired', async () => {
  const root: FakeShard = { id: 'root', records: [1] };
  shards = [root];
  const source = await open();
  const { after } = await source.read({});
  root.records.push(2);
  expireNext = true;
  const { records } = await source.read(after(padded(1)));
  expect(records.map(({ dynamodb }) => dynamodb?.SequenceNumber)).toEqual([padded(2)]);
});

it('restarts on another stream, regardless of the last position', async () => {
  shards = [{ id: 'root', records: [1, 2] }];
  const other: Position = { 'another/root': padded(7) };
  expect(await readAll(other, false)).toMatchObject({ seen: [1, 2], at: { [key('root')]: padded(2) } });
});

it('reads every shard even if another always has records', async () => {
  shards = [
    { id: 'busy', records: Array.from({ length: 40 }, (_, at) => at + 1) },
    { id: 'quiet', records: [100] },
  ];
  const { seen } = await readAll({}, false);
  expect(place(seen, 100)).toBeLessThan(5);
});
