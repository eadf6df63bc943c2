/** How a command finds the product that runs on a data folder. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { PRIVATE_FILE } from '#local/private-files';

export const TABLE_NAME = 'leads';
/** In the data folder: the heads of the audit trail's chain, a line each. */
export const AUDIT_HEADS_FILE = 'audit-heads.txt';

const runningSchema = z.object({ url: z.string(), dynamodbEndpoint: z.string() });
export type Running = z.output<typeof runningSchema>;

const fileIn = (folder: string) => join(folder, 'running.json');

/** Writes to the data folder how to reach the product. @returns a function that removes the file */
export function announce(folder: string, running: Running): () => void {
  writeFileSync(fileIn(folder), JSON.stringify(running), PRIVATE_FILE);
  return () => rmSync(fileIn(folder), { force: true });
}

/** What was announced last. After a crash the product may not run any more. */
export function findRunning(folder: string): Running | undefined {
  try {
    return runningSchema.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
  } catch {
    return undefined;
  }
}
