/** The engine neither indexes nor drops its stream records, so both happen here. */
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'libsql';
import * as z from 'zod/mini';
import { errorFields, type Logger } from '#functions/platform/logger';
import { StartError } from '#local/start-error';
import type { Position } from '#local/stream-source';

const INDEXES = [
  'CREATE INDEX IF NOT EXISTS stream_by_table ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  'CREATE INDEX IF NOT EXISTS stream_by_shard ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER))',
] as const;

export function hasStreamIndexes(file: string): boolean {
  return withDatabase(file, (database) => {
    const found = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'stream_by_shard'").all();
    return found.length > 0;
  });
}

/** Without them every write scans all stream records. The engine must not run, because it would not learn of them. */
export function makeStreamIndexes(file: string): void {
  withDatabase(file, (database) => {
    for (const statement of INDEXES) database.exec(statement);
  });
}

function withDatabase<T>(file: string, use: (database: Database.Database) => T): T {
  let database: Database.Database;
  try {
    database = new Database(file);
  } catch {
    throw new StartError(`The database ${file} cannot be opened: check that the folder can be written to.`);
  }
  try {
    return use(database);
  } finally {
    database.close();
  }
}

const DROP_EVERY_MS = 1000;
/** One transaction blocks the engine's writes and this process for a few milliseconds. */
const MAX_RECORDS_PER_DROP = 200;

export interface DropOptions {
  readonly file: string;
  readonly table: string;
  readonly label: string;
  readonly positions: () => readonly Position[];
  readonly log: Logger;
}

/**
 * Drops records that every consumer has read. Freed pages are reused, so the file does not grow. The last read record stays,
 * because the engine continues its numbers.
 */
export class StreamRecords {
  readonly #options: DropOptions;
  readonly #database: Database.Database;
  /**
   * Prepared once: a failed statement stays in progress until it runs again, and a second one would keep its transaction open.
   */
  readonly #drop: Database.Statement;
  readonly #timer: NodeJS.Timeout;
  #droppedTo = 0n;

  constructor(options: DropOptions) {
    this.#options = options;
    this.#database = new Database(options.file);
    // The engine's checkpoints are enough; this process should not wait for the disk.
    this.#database.exec('PRAGMA synchronous = NORMAL');
    this.#database.exec('PRAGMA wal_autocheckpoint = 0');
    this.#drop = this.#database.prepare(
      `DELETE FROM _stream_records WHERE id IN (
         SELECT id FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < ?
         ORDER BY CAST(sequence_number AS INTEGER) LIMIT ?)`,
    );
    this.#timer = setInterval(() => this.#dropSome(), DROP_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#database.close();
  }

  #dropSome(): void {
    const least = leastRead(this.#options.label, this.#options.positions());
    if (least <= this.#droppedTo || !this.#database.open) return;
    try {
      const dropped = this.#drop.run(this.#options.table, least, MAX_RECORDS_PER_DROP).changes;
      if (dropped === MAX_RECORDS_PER_DROP) setImmediate(() => this.#dropSome());
      else this.#droppedTo = least;
    } catch (error) {
      // The engine writes now, or the disk is full: the next turn does more.
      if (!isBusy(error)) this.#options.log.error('stream records could not be dropped', errorFields(error));
    }
  }
}

/** While somebody reads or writes. */
const EMPTY_AGAIN_AFTER_MS = 50;
const MAX_EMPTYINGS = 40;

/**
 * Also rewrites the file, so that nothing deleted stays in free pages or the write-ahead log. @returns false: the engine was
 * busy, some may be left
 */
export async function purgeFile({
  file,
  table,
  label,
  positions,
}: Pick<DropOptions, 'file' | 'table' | 'label' | 'positions'>): Promise<boolean> {
  const least = leastRead(label, positions());
  const database = new Database(file);
  try {
    database.exec('PRAGMA busy_timeout = 500');
    database
      .prepare('DELETE FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < ?')
      .run(table, least);
    database.exec('VACUUM');
    const empty = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
    for (let attempt = 0; attempt < MAX_EMPTYINGS; attempt += 1) {
      const answer = z.array(z.object({ busy: z.number() })).parse(empty.all());
      if (answer[0]?.busy === 0) return true;
      await wait(EMPTY_AGAIN_AFTER_MS);
    }
    return false;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    database.close();
  }
}

const isBusy = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');

/**
 * A position may be of another stream, after a change of DynamoDB or table. @returns 0 until every consumer has read something
 */
function leastRead(label: string, positions: readonly Position[]): bigint {
  const read = positions.map((position) => {
    const found = Object.entries(position).find(([key]) => key.startsWith(`${label}/`));
    return found === undefined ? 0n : BigInt(found[1]);
  });
  return read.reduce((least, number) => (number < least ? number : least));
}
