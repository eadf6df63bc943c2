/** The position of a consumer in the stream. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { errorFields, type Logger } from '#functions/platform/logger';
import { makePrivateFolder, PRIVATE_FILE } from '#local/private-files';
import type { Position } from '#local/stream-source';

/** After a crash these records are delivered again, as Lambda may do. */
const WRITE_AFTER_MS = 100;
/** After a failure, such as a full disk. */
const REPEAT_AFTER_MS = 2000;

export class Checkpoint {
  readonly #file: string;
  readonly #log: Logger;
  #position: Position;
  #timer: NodeJS.Timeout | undefined;

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

  close(): void {
    this.write();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const positionSchema = z.record(z.string(), z.string());

/** @returns the beginning of the stream if there is no position or it has an earlier format; repeated records do no harm */
function readPosition(file: string): Position {
  try {
    return positionSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
