/**
 * Writes items into the engine's database while it does not run: by API, 100,000 leads take an hour. For dynoxide 1.2
 * (`schema_version` 9); without stream records.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import Database from 'libsql';
import { ensureTable } from '#functions/data/table/create-table';
import { requireTableFormat } from '#functions/data/table/format';
import { keys, TABLE } from '#functions/data/table/keys';
import { type Item, Table } from '#functions/data/table/table';
import { atEndpoint } from '#functions/platform/sdk-client';
import { startEngine } from '#local/engine';
import { TABLE_NAME } from '#local/running';

const LAYOUT = '9';
const ROWS_PER_COMMIT = 20_000;

const LEAD = keys.lead('').sk;

/** @returns how many there are @throws Error for another database layout */
export async function seedTable(
  file: string,
  items: Iterable<Item>,
  onLead: () => void = () => undefined,
): Promise<number> {
  const engine = await startEngine({ file });
  const client = new DynamoDBClient(atEndpoint(engine.endpoint));
  await ensureTable(client, TABLE_NAME);
  await requireTableFormat(new Table({ name: TABLE_NAME, client }));
  client.destroy();
  await engine.stop();
  return bulkLoad(file, TABLE_NAME, items, onLead);
}

function bulkLoad(file: string, table: string, items: Iterable<Item>, onLead: () => void): number {
  const database = new Database(file);
  try {
    const layout = database
      .prepare("SELECT 1 FROM _config WHERE key = 'schema_version' AND value = ?")
      .all(LAYOUT);
    if (layout.length === 0) throw new Error(`The engine's database has another layout than ${LAYOUT}`);
    database.exec('PRAGMA synchronous = OFF');
    const insert = database.prepare(
      `INSERT INTO "${table}" (pk, sk, item_json, item_size, hash_prefix) VALUES (?, ?, ?, ?, '')`,
    );
    const indexes = TABLE.indexes.map((index) => ({
      ...index,
      insert: database.prepare(
        `INSERT INTO "${table}::gsi::${index.name}" (gsi_pk, gsi_sk, table_pk, table_sk, item_json) VALUES (?, ?, ?, ?, ?)`,
      ),
    }));
    let rows = 0;
    database.exec('BEGIN');
    for (const item of items) {
      const json = JSON.stringify(marshall(item, { removeUndefinedValues: true }));
      const [pk, sk] = [`S:${String(item.pk)}`, `S:${String(item.sk)}`];
      insert.run(pk, sk, json, sizeOf(item));
      for (const index of indexes) {
        const partition = item[index.partitionKey];
        if (typeof partition === 'string')
          index.insert.run(`S:${partition}`, `S:${String(item[index.sortKey])}`, pk, sk, json);
      }
      rows += 1;
      if (item.sk === LEAD) onLead();
      if (rows % ROWS_PER_COMMIT === 0) database.exec('COMMIT; BEGIN');
    }
    database.exec('COMMIT');
    return rows;
  } finally {
    database.close();
  }
}

/** DynamoDB developer guide, "Item sizes and formats". */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + sizeOf(part) + 1, 3);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).reduce((sum, [name, part]) => sum + sizeOf(name) + sizeOf(part) + 1, 3);
  return 1;
}
