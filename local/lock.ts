/** One running product per data folder, by a lock of SQLite that a crash cannot leave behind. */
import { join } from 'node:path';
import Database from 'libsql';
import { makePrivateFile } from '#local/private-files';
import { StartError } from '#local/start-error';

/** @throws StartError if another process uses the folder, or it cannot be written */
export function lockFolder(folder: string): () => void {
  const database = openDatabase(join(folder, 'lock.db'), folder);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new StartError(`${folder} is in use by another run: stop that one, or choose another DATA_DIR.`);
  }
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

function openDatabase(file: string, folder: string): Database.Database {
  try {
    makePrivateFile(file);
    return new Database(file);
  } catch {
    throw new StartError(`${folder} cannot be written to: choose another DATA_DIR.`);
  }
}
