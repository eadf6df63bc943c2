/** Real tables for a test file: one engine, and a new table on request. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { ensureTable } from '#functions/data/table/create-table';
import { type Meter, Table } from '#functions/data/table/table';
import { atEndpoint } from '#functions/platform/sdk-client';
import { startEngine } from '#local/engine';
import { openStream, type Position } from '#local/stream-source';
import { IN_MEMORY, memoryTable, modelOf } from '#test/harness/memory-table';
import { startOtherEngine } from '#test/harness/other-engine';
import { recordOf } from '#test/simulation/records';

export interface TestEngine {
  readonly isInMemory: boolean;
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  /** A new, empty table. */
  freshTable(meter?: Meter): Promise<Table>;
  /** All changes of a table so far as stream records. */
  changesOf(table: Table): Promise<DynamoDBRecord[]>;
  stop(): Promise<void>;
}

/** Start it in `beforeAll`, stop it in `afterAll`. */
export async function startTestEngine(): Promise<TestEngine> {
  if (IN_MEMORY) return memoryEngine();
  const folder = join(tmpdir(), `lead-table-${randomUUID()}`);
  const engine = (await startOtherEngine()) ?? (await startEngine({ file: join(folder, 'table.db') }));
  const client = new DynamoDBClient({
    ...atEndpoint(engine.endpoint),
    maxAttempts: 5,
  });
  return {
    isInMemory: false,
    endpoint: engine.endpoint,
    client,
    async freshTable(meter) {
      const name = `test-${randomUUID()}`;
      await ensureTable(client, name);
      return new Table({ name, endpoint: engine.endpoint, client, ...(meter && { meter }) });
    },
    async changesOf(table) {
      const source = await openStream(client, engine.endpoint, table.name);
      const records: DynamoDBRecord[] = [];
      let at: Position = {};
      for (;;) {
        const page = await source.read(at);
        if (page.records.length === 0) break;
        records.push(...(page.records as unknown as DynamoDBRecord[]));
        at = page.after(page.records.at(-1)?.dynamodb?.SequenceNumber ?? '');
      }
      source.close();
      return records;
    },
    async stop() {
      client.destroy();
      await engine.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Tables in memory with the same interface. */
export function memoryEngine(): TestEngine {
  const nothing = (what: string) => (): never => {
    throw new Error(`Without an engine there is no ${what}`);
  };
  return {
    isInMemory: true,
    get endpoint() {
      return nothing('endpoint')();
    },
    get client() {
      return nothing('client')();
    },
    freshTable: async (meter) => memoryTable(meter && { meter }),
    changesOf: async (table) => modelOf(table).shards.flatMap((changes) => changes.map(recordOf)),
    stop: async () => undefined,
  };
}
