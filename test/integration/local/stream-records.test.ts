/** The embedded table drops stream records while it runs, but only after every consumer has read them. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import Database from 'libsql';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ensureTable } from '#functions/data/table/create-table';
import { Table } from '#functions/data/table/table';
import { createLogger } from '#functions/platform/logger';
import { atEndpoint } from '#functions/platform/sdk-client';
import { type Engine, startEngine } from '#local/engine';
import { StreamRecords } from '#local/stream-records';
import { openStream, type Position, type StreamSource } from '#local/stream-source';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, startTestCloud } from '#test/harness/cloud';

const folder = join(tmpdir(), `stream-records-${randomUUID()}`);
const file = join(folder, 'table.db');
const problems: string[] = [];
let engine: Engine;
let client: DynamoDBClient;
let table: Table;
let source: StreamSource;
let records: StreamRecords;
/** Of two consumers. */
let positions: [Position, Position];
/** Number of checks for records to drop. */
let turns = 0;

beforeEach(async () => {
  problems.length = 0;
  positions = [{}, {}];
  engine = await startEngine({ file });
  client = new DynamoDBClient(atEndpoint(engine.endpoint));
  await ensureTable(client, 'leads');
  table = new Table({ name: 'leads', client });
  source = await openStream(client, engine.endpoint, 'leads');
  records = new StreamRecords({
    file,
    table: 'leads',
    label: source.label,
    positions: () => {
      turns += 1;
      return positions;
    },
    log: createLogger((line) => problems.push(line)),
  });
});
afterEach(async () => {
  records.stop();
  source.close();
  client.destroy();
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes this many items of about 4 KB, eight at a time. */
const write = (count: number) => {
  let left = count;
  return Promise.all(
    Array.from({ length: 8 }, async () => {
      while (left > 0) {
        left -= 1;
        await table.put({ put: { pk: 'A', sk: `${left % 10}`, text: 'x'.repeat(4000) } });
      }
    }),
  );
};

const readAll = async (position: Position): Promise<{ position: Position; read: number }> => {
  let read = 0;
  let at = position;
  for (;;) {
    const batch = await source.read(at);
    const last = batch.records.at(-1)?.dynamodb?.SequenceNumber;
    if (last === undefined) return { position: at, read };
    read += batch.records.length;
    at = batch.after(last);
  }
};

const stored = (of = file): number[] => {
  const database = new Database(of);
  try {
    return database
      .prepare('SELECT sequence_number FROM _stream_records ORDER BY id')
      .all()
      .map((row) => Number((row as { sequence_number: string }).sequence_number));
  } finally {
    database.close();
  }
};

it('drops what both consumers have read, keeps what one has not, and continues the numbers', async () => {
  await write(30);
  const { position, read } = await readAll({});
  expect(read).toBe(30);
  const shard = Object.keys(position)[0] ?? '';
  positions = [position, {}];
  await write(1);
  // The data folder was used with another engine, whose positions mean nothing here.
  positions = [position, { 'another stream/shard': '30', [shard]: '12' }];
  await vi.waitFor(() => expect(stored()[0]).toBe(12), { timeout: 10_000 });
  expect(stored()).toHaveLength(20);

  positions = [position, position];
  await vi.waitFor(() => expect(stored()).toEqual([30, 31]), { timeout: 10_000 });
  expect((await readAll(position)).read).toBe(1);
});

it('blocks no write after another process was writing', async () => {
  await write(30);
  const { position } = await readAll({});
  const other = new Database(file);
  other.exec('BEGIN IMMEDIATE');
  positions = [position, position];
  const before = turns;
  await vi.waitFor(() => expect(turns).toBeGreaterThan(before + 2), { timeout: 20_000 });
  expect(stored()).toHaveLength(30);
  other.exec('ROLLBACK');
  await vi.waitFor(() => expect(stored()).toEqual([30]), { timeout: 10_000 });
  other.exec('BEGIN IMMEDIATE');
  other.exec('ROLLBACK');
  other.close();
  await write(1);
  expect(problems).toEqual([]);
});

it('happens in the running product', async () => {
  const dataDir = join(folder, 'product');
  const cloud = await startTestCloud({ dataDir });
  await openOrder(cloud.admin, { probability: 50 });
  for (let lead = 0; lead < 5; lead += 1) await cloud.admin.ok('createLead', { body: aLeadRequest() });
  await cloud.settled();
  // The last record stays, so that the engine continues its numbers.
  await vi.waitFor(() => expect(stored(join(dataDir, 'table.db'))).toHaveLength(1), { timeout: 20_000 });
  await cloud.stop();
});
