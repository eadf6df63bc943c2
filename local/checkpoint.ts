/** How far a consumer of the stream has come, in a file that is replaced as a whole. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { errorFields, type Logger } from '#functions/platform/logger';
import { makePrivateFolder, PRIVATE_FILE } from '#local/private-files';
import type { Position } from '#local/stream-source';

/** How far the file may lag behind. After a crash these records come again, as they may from Lambda. */
const WRITE_AFTER_MS = 100;
/** After a failure, such as a full disk. */
const REPEAT_AFTER_MS = 2000;

export class Checkpoint {
  readonly #file: string;
  readonly #log: Logger;
  #position: Position;
  #timer: NodeJS.Timeout | undefined;

  /** @param log told when the file cannot be written, which is tried again */
  constructor(file: string, log: Logger) {
    this.#file = file;
    this.#log = log;
    this.#position = readPosition(file);
  }

  get position(): Position {
    return this.#position;
  }

  advance(to: Position): void {
    if (to === this.#position) return;
    this.#position = to;
    this.#timer ??= setTimeout(() => this.write(), WRITE_AFTER_MS);
  }

  /** Writes now what is not written yet. */
  write(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      makePrivateFolder(dirname(this.#file));
      writeFileSync(`${this.#file}.new`, JSON.stringify(this.#position), PRIVATE_FILE);
      renameSync(`${this.#file}.new`, this.#file);
    } catch (error) {
      this.#log.error('checkpoint could not be written', errorFields(error));
      this.#timer = setTimeout(() => this.write(), REPEAT_AFTER_MS);
    }
  }

  /** Writes a last time and gives up then. */
  close(): void {
    this.write();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const positionSchema = z.record(z.string(), z.string());

/** @returns the stream's beginning where there is no position yet, or one of an earlier form; nothing counts twice */
function readPosition(file: string): Position {
  try {
    return positionSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
