/** How a command finds the running product of a data folder. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { PRIVATE_FILE } from '#local/private-files';

export const TABLE_NAME = 'leads';
export const AUDIT_CHECKPOINTS_FILE = 'audit-checkpoints.txt';

const runningSchema = z.object({ url: z.string(), dynamodbEndpoint: z.string() });
export type Running = z.output<typeof runningSchema>;

const fileIn = (folder: string) => join(folder, 'running.json');

/** @returns a function that removes the file */
export function announce(folder: string, running: Running): () => void {
  writeFileSync(fileIn(folder), JSON.stringify(running), PRIVATE_FILE);
  return () => rmSync(fileIn(folder), { force: true });
}

/** After a crash this process may no longer exist. */
export function findRunning(folder: string): Running | undefined {
  try {
    return runningSchema.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
  } catch {
    return undefined;
  }
}
