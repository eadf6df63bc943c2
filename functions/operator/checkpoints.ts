/** Keeps audit checkpoints where nobody who can write the table can change them. */
import { appendFile } from 'node:fs/promises';
import type * as z from 'zod/mini';
import type { checkpointEnvironment } from '#functions/platform/environment';

/** @throws Error if it could not be kept */
export type KeepLine = (name: string, line: string) => Promise<void>;

export function createCheckpointFile({
  AUDIT_CHECKPOINTS_BUCKET: bucket,
  AUDIT_CHECKPOINTS_FILE: file,
}: z.output<typeof checkpointEnvironment>): KeepLine | undefined {
  if (bucket !== undefined)
    return async (name, line) => {
      const { keepInBucket } = await import('#functions/operator/bucket');
      await keepInBucket(bucket, name, line);
    };
  return file === undefined ? undefined : (_, line) => appendFile(file, `${line}\n`, { mode: 0o600 });
}
