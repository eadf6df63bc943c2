import { join } from 'node:path';
import { type Item, Table, type TableOptions } from '#functions/data/table/table';
import { startEngine } from '#local/engine';
import { lockFolder } from '#local/lock';
import { findRunning, TABLE_NAME as LOCAL_TABLE } from '#local/running';
import { type Advance, withProgress } from '#scripts/progress';

export const TABLE_HELP = `
The table:
  TABLE_NAME         a table in the cloud, with the credentials of the shell, or at DYNAMODB_ENDPOINT
  DYNAMODB_ENDPOINT  the address of a DynamoDB outside AWS
  DATA_DIR           without TABLE_NAME: the data folder of "npm start" (.data), whether it runs or not`;

/** TABLE_NAME, or the table of `npm start`, whether it runs or not. @throws StartError if the data folder is in use */
export async function withTable<T>(
  work: (table: Table) => Promise<T>,
  create = (options: TableOptions) => new Table(options),
): Promise<T> {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, DATA_DIR = '.data' } = process.env;
  if (TABLE_NAME !== undefined) return work(create({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT }));
  let unlock: () => void;
  try {
    unlock = lockFolder(DATA_DIR);
  } catch (error) {
    const running = findRunning(DATA_DIR);
    if (running === undefined) throw error;
    return work(create({ name: LOCAL_TABLE, endpoint: running.dynamodbEndpoint }));
  }
  const engine = await startEngine({ file: join(DATA_DIR, 'table.db') });
  try {
    return await work(create({ name: LOCAL_TABLE, endpoint: engine.endpoint }));
  } finally {
    await engine.stop();
    unlock();
  }
}

export function withWholeTable<T>(work: (table: Table) => Promise<T>): Promise<T> {
  return withProgress('items read', undefined, (advance) =>
    withTable(work, (options) => new CountedTable(options, advance)),
  );
}

class CountedTable extends Table {
  readonly #advance: Advance;

  constructor(options: TableOptions, advance: Advance) {
    super(options);
    this.#advance = advance;
  }

  override async *scan(): AsyncGenerator<readonly Item[]> {
    for await (const items of super.scan()) {
      yield items;
      this.#advance(items.length);
    }
  }
}
