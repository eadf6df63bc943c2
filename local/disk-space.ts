/** The engine reports a full disk only as an unexpected error. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE, SPACE_PROBE } from '#local/private-files';
import { systemCode } from '#local/start-error';

/** More than the engine needs for one transaction. */
const PROBE_BYTES = 1024 * 1024;
const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Finds out by writing; simultaneous calls share one attempt. */
export function createFullDiskCheck(folder: string): () => Promise<boolean> {
  const file = join(folder, SPACE_PROBE);
  const probe = async (): Promise<boolean> => {
    try {
      await writeFile(file, Buffer.alloc(PROBE_BYTES), PRIVATE_FILE);
      return false;
    } catch (error) {
      return FULL.has(systemCode(error));
    } finally {
      await rm(file, { force: true });
    }
  };
  let underWay: Promise<boolean> | undefined;
  return () => {
    underWay ??= probe().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
