/** The table a command works on. */
import { join } from 'node:path';
import { Table } from '#functions/data/table/table';
import { startEngine } from '#local/engine';
import { lockFolder } from '#local/lock';
import { findRunning, TABLE_NAME as LOCAL_TABLE } from '#local/running';
import '#local/sdk-warning';

/**
 * With TABLE_NAME the table of that name (in the cloud, or at DYNAMODB_ENDPOINT); without it the one that `npm start`
 * keeps in DATA_DIR (`.data`), whether it runs or not.
 * @throws StartError when the data folder is in use by something else
 */
export async function openTable(): Promise<{ table: Table; close: () => Promise<void> }> {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, DATA_DIR = '.data' } = process.env;
  if (TABLE_NAME !== undefined)
    return { table: new Table({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT }), close: async () => {} };
  let unlock: () => void;
  try {
    unlock = lockFolder(DATA_DIR);
  } catch (error) {
    const running = findRunning(DATA_DIR);
    if (running === undefined) throw error;
    const table = new Table({ name: LOCAL_TABLE, endpoint: running.dynamodbEndpoint });
    return { table, close: async () => {} };
  }
  const engine = await startEngine({ file: join(DATA_DIR, 'table.db') });
  return {
    table: new Table({ name: LOCAL_TABLE, endpoint: engine.endpoint }),
    close: async () => {
      await engine.stop();
      unlock();
    },
  };
}
